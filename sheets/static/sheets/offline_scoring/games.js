// Games scored on this device only: storage, and conversion to documents for the rules and the site. A game is
// `{ id, request, level, players, isSolo, sheets }`; `level` is the level's storage key, and `request` the id for
// sending it. A sheet has the marks by place, as the site stores them (sheets/scoring/marks.py), and the steps to
// undo and to redo.
import { deviceStore, newId } from "../lib/store.js";
import { parseFinalSheet, isReached, possibleNumbers } from "./paper_scoring.js";

const PREFIX = "dizzle.here.";
export const nameOf = ({ level, id }) => `${PREFIX}${level}.${id}`;

const blank = () => ({ marks: {}, undo: [], redo: [] });

const newest = (a, b) => b.touched - a.touched;

// Return all stored games, the newest first.
export function keptGames() {
  const games = deviceStore.names(PREFIX).map((name) => deviceStore.read(name));
  return games.filter((game) => Array.isArray(game?.sheets) && game.sheets.length).sort(newest);
}

export const findGame = (level, id) => keptGames().find((game) => game.level === level && game.id === id) ?? null;

export function newGame(level, players) {
  const id = Math.floor(Math.random() * 36 ** 6).toString(36);
  return { id, request: newId(), level, players, isSolo: true, sheets: players.map(blank) };
}

// Return the game with these players; sheets of removed players are dropped.
export function withPlayers(game, players) {
  return { ...game, players, sheets: players.map((_, i) => game.sheets[i] ?? blank()) };
}

// Store a game. Returns whether the device has stored it; the page has it in any case.
export const keep = (game) => deviceStore.write(nameOf(game), { ...game, touched: Date.now() });
export const forget = (game) => deviceStore.forget(nameOf(game));

export const isSolo = (game) => game.players.length === 1 && game.isSolo;

// Return the fields of a sheet as a `dizzle-sheets/1` entry, without circled numbers.
function fieldsOf(marks, solo) {
  const entry = { crosses: [], exploded: [], lava: [], tracks: {} };
  for (const [at, value] of Object.entries(marks)) {
    if (at.includes(" ")) continue; // a number
    if (value === "cross") entry.crosses.push(at);
    else if (!/lava|exploded/.test(value)) entry.tracks[at] = value;
    if (value.includes("lava")) entry.lava.push(at);
    if (value.includes("exploded") && !solo) entry.exploded.push(at);
  }
  return entry;
}

// Add circled numbers to the entries, if their flag or race is reached and the track has the number.
function circle(column, entries, sheets) {
  const read = entries.map((entry) => parseFinalSheet(column, entry));
  for (const track of column.tracks) {
    const takers = read.filter((sheet) => isReached(track, sheet)).length;
    const possible = [...track.numbers, ...possibleNumbers(track, takers)];
    for (const [i, { marks }] of sheets.entries()) {
      if (!(track.place in marks) || !isReached(track, read[i])) continue;
      const number = Number(marks[track.place]);
      if (possible.includes(number)) entries[i][`${track.kind}s`][track.key] = number;
    }
  }
}

const nameKey = (name) => name.normalize("NFKC").toLowerCase().replace(/\s/g, "");

// Append numbers to equal names, as `distinct_names` of sheets/names/confusables.py, which also compares similar
// letters.
export function distinctNames(names) {
  const taken = new Set();
  return names.map((name) => {
    let apart = name;
    for (let number = 2; taken.has(nameKey(apart)); number += 1) apart = `${name} ${number}`;
    taken.add(nameKey(apart));
    return apart;
  });
}

// Return the `dizzle-sheets/1` document of a game. It has only the id of the level.
export function documentOf({ level, column }, game, players) {
  const solo = isSolo(game);
  const entries = game.sheets.map(({ marks }, i) => ({
    player: players[i],
    ...fieldsOf(marks, solo),
    flags: {},
    races: {},
  }));
  circle(column, entries, game.sheets);
  const more = entries.length === 1 ? { solo } : {};
  return { format: "dizzle-sheets/1", level, ...more, sheets: entries };
}
