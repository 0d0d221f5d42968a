// What finished paper sheets are worth: the twin of sheets/rules/paper.py, with what it needs of tracks.py
// (the numbers to circle) and of `decide` in game.py. tests/browser/test_here_twins.py holds them together.
// What cannot have happened in a legal game (doubts.py) only the site says.
import { findWinners, rate, scoreSheet } from "./scoring.js";

// A sheet of a `dizzle-sheets/1` document, with what is printed added: as `finished_sheet`.
export function finishedSheet(column, { crosses = [], exploded = [], lava = [], tracks = {}, flags = {}, races = {} }) {
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

// Whether a sheet has reached the flag or completed the area; what is printed is nobody's doing.
export function isReached(track, { crosses }) {
  if (track.kind === "flag") return track.unprinted.some((at) => crosses.has(at));
  return track.unprinted.length > 0 && track.fields.every((at) => crosses.has(at));
}

// The numbers one of so many takers can have got: 0 only when the track can be used up.
export function possibleNumbers(track, takers) {
  const isUsedUp = takers > track.numbers.length && !track.repeatLast;
  return [...new Set([...track.numbers.slice(0, takers), ...(isUsedUp ? [0] : [])])];
}

// The sheets with the numbers that follow from them, and what is unclear about others: as `fill_numbers`.
export function fillNumbers(column, sheets) {
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

// Who wins with these final scores, and the grade of a solo game: as `decide`.
function decide(scores, ratings, isSolo) {
  const winners = findWinners(scores);
  const isTie = scores.filter(({ total }) => total === scores[winners[0]].total).length > 1;
  const tieRule = !isTie ? "points" : winners.length > 1 ? "shared" : "crosses";
  return { winners, tieRule, rating: isSolo ? rate(scores[0].total, ratings) : null };
}

// What the sheets of a `dizzle-sheets/1` document score, who has won and what is unclear: as `score_paper`.
export function scorePaper(column, document) {
  const isSolo = document.solo ?? document.sheets.length === 1;
  const read = document.sheets.map((entry) => finishedSheet(column, entry));
  const { sheets, unclear } = fillNumbers(column, read);
  const scores = sheets.map((sheet) => scoreSheet(column, sheet, isSolo));
  return { scores, sheets, unclear, outcome: decide(scores, column.ratings, isSolo) };
}
