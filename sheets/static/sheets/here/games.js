// The games whose sheets this device keeps by itself, and each of them as a document for the rules and for
// the site. A game is `{ id, request, level, players, isSolo, sheets }`, `level` being under which name levels are told
// apart here, and `request` the id under which it is sent.
// Of each sheet it has the marks by place, as the site stores them (sheets/scoring/marks.py), and the steps to undo
// and to redo.
import { newId } from "../lib/new_id.js";
import { deviceStore } from "../lib/store.js";
import { finishedSheet, isReached, possibleNumbers } from "./paper.js";

const PREFIX = "dizzle.here.";
export const nameOf = ({ level, id }) => `${PREFIX}${level}.${id}`;

const blank = () => ({ marks: {}, undo: [], redo: [] });

const newest = (a, b) => b.touched - a.touched;

// All that are kept, the newest first.
export function keptGames() {
  const games = deviceStore.names(PREFIX).map((name) => deviceStore.read(name));
  return games.filter((game) => Array.isArray(game?.sheets) && game.sheets.length).sort(newest);
}

export const findGame = (level, id) => keptGames().find((game) => game.level === level && game.id === id) ?? null;

export function newGame(level, players) {
  const id = Math.floor(Math.random() * 36 ** 6).toString(36);
  return { id, request: newId(), level, players, isSolo: true, sheets: players.map(blank) };
}

// As many players as there are names; the sheets of those who are left out go with them.
export function withPlayers(game, players) {
  return { ...game, players, sheets: players.map((_, i) => game.sheets[i] ?? blank()) };
}

// Whether the device has kept it; it lasts as long as the page in any case.
export const keep = (game) => deviceStore.write(nameOf(game), { ...game, touched: Date.now() });
export const forget = (game) => deviceStore.forget(nameOf(game));

export const isSolo = (game) => game.players.length === 1 && game.isSolo;

// One sheet in the words of `dizzle-sheets/1`, without its numbers: what lies on the fields.
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

// A number stays circled only where its flag or race is reached and the track can give it.
function circle(column, entries, sheets) {
  const read = entries.map((entry) => finishedSheet(column, entry));
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

const lookOf = (name) => name.normalize("NFKC").toLowerCase().replace(/\s/g, "");

// Players' names, those that look the same told apart by a number: as `distinct_names` of sheets/people/alike.py,
// which also knows letters that look alike.
export function tellApart(names) {
  const taken = new Set();
  return names.map((name) => {
    let apart = name;
    for (let number = 2; taken.has(lookOf(apart)); number += 1) apart = `${name} ${number}`;
    taken.add(lookOf(apart));
    return apart;
  });
}

// The `dizzle-sheets/1` document of a game, which names the level by its id.
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
