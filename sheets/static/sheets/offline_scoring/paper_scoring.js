// Scores of finished paper sheets: port of sheets/rules/paper_scoring.py, parts of tracks.py (numbers to circle), and
// `decide` of game.py. tests/browser/test_scoring_scripts.py compares both implementations. Doubts about the legality
// of sheets (doubts.py) need the site.
import { findWinners, rate, scoreSheet } from "./scoring.js";

// Parse a sheet of a `dizzle-sheets/1` document and add printed marks, as `parse_final_sheet`.
export function parseFinalSheet(column, { crosses = [], exploded = [], lava = [], tracks = {}, flags = {}, races = {} }) {
  const numbers = { flag: flags, race: races };
  const circled = column.tracks.map(({ place, kind, key }) => [place, numbers[kind][key]]);
  return {
    crosses: new Set([...column.printed, ...crosses, ...Object.keys(tracks)]),
    exploded: new Set(exploded),
    lava: new Set(lava),
    tracks: { ...column.printedTracks, ...tracks },
    circled: Object.fromEntries(circled.filter(([, number]) => number !== undefined)),
  };
}

// Return whether a sheet has reached the flag or completed the race. Printed marks alone do not count.
export function isReached(track, { crosses }) {
  if (track.kind === "flag") return track.unprinted.some((at) => crosses.has(at));
  return track.unprinted.length > 0 && track.fields.every((at) => crosses.has(at));
}

// Return the numbers that one of `takers` players can have: 0 only if the track can be used up.
export function possibleNumbers(track, takers) {
  const isUsedUp = takers > track.numbers.length && !track.repeatLast;
  return [...new Set([...track.numbers.slice(0, takers), ...(isUsedUp ? [0] : [])])];
}

// Return the sheets with all certain numbers, and the unclear ones, as `fill_numbers`.
function fillNumbers(column, sheets) {
  const filled = sheets.map((sheet) => ({ ...sheet, circled: { ...sheet.circled } }));
  const unclear = [];
  for (const track of column.tracks) {
    const takers = [...sheets.keys()].filter((i) => isReached(track, sheets[i]));
    for (const player of takers) {
      if (track.place in filled[player].circled) continue;
      const choices = possibleNumbers(track, takers.length);
      if (takers.length > 1) unclear.push({ player, place: track.place, choices });
      else filled[player].circled[track.place] = track.numbers[0];
    }
  }
  return { sheets: filled, unclear };
}

// Return the winners of these scores and the grade of a solo game, as `decide`.
function decide(scores, ratings, isSolo) {
  const winners = findWinners(scores);
  const isTie = scores.filter(({ total }) => total === scores[winners[0]].total).length > 1;
  const tieRule = !isTie ? "points" : winners.length > 1 ? "shared" : "crosses";
  return { winners, tieRule, rating: isSolo ? rate(scores[0].total, ratings) : null };
}

// Return the scores of a `dizzle-sheets/1` document, the outcome and the unclear numbers, as `score_paper`.
export function scorePaper(column, document) {
  const isSolo = document.solo ?? document.sheets.length === 1;
  const read = document.sheets.map((entry) => parseFinalSheet(column, entry));
  const { sheets, unclear } = fillNumbers(column, read);
  const scores = sheets.map((sheet) => scoreSheet(column, sheet, isSolo));
  return { scores, sheets, unclear, outcome: decide(scores, column.ratings, isSolo) };
}
