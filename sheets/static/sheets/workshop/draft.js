// Drafts and the effects of edits: port of sheets/workshop/edits.py for optimistic drawing. Pasted grids, and
// inserted or removed rows and columns, are shown only after the server's answer.
// tests/browser/test_workshop_scripts.py compares both implementations, and the drawings.
import { words } from "./page.js";

const { signs } = words;
const { volcano, planet } = words.letters;

export const letter = (column) => String.fromCharCode(97 + column);
export const nameOf = (column, row) => `${letter(column)}${row + 1}`;
export const columnOf = (name) => name.charCodeAt(0) - 97;
export const rowOf = (name) => Number(name.slice(1)) - 1;

export const isHole = (square) => square.number === signs.hole;
export const isOpen = (square) => square.number === signs.open;
export const isVolcano = (square) => square.symbol === volcano;

function parseSquare(token) {
  const printed = token[1] === signs.printed;
  return { number: token[0], printed, symbol: token.slice(printed ? 2 : 1) };
}
const formatSquare = (square) => square.number + (square.printed ? signs.printed : "") + square.symbol;

// Return the grid of a document: rows of squares, and a map from field names to squares.
export function gridOf(document) {
  const rows = document.grid.map((row) => row.trim().split(/\s+/).map(parseSquare));
  const at = new Map();
  rows.forEach((squares, row) =>
    squares.forEach((square, column) => at.set(nameOf(column, row), square)),
  );
  return { rows, at, columns: rows[0].length };
}
// Return the given names (by default all) that are fields, not holes, in the same order.
const isField = (grid, name) => grid.at.has(name) && !isHole(grid.at.get(name));
export const fieldsOf = (grid, names = [...grid.at.keys()]) => names.filter((name) => isField(grid, name));
// Write the grid back, and remove entries for fields that no longer exist.
function writeGrid(document, { rows }) {
  document.grid = rows.map((row) => row.map(formatSquare).join(" "));
  const grid = gridOf(document);
  const isEdge = ({ row, column }) => grid.at.has(row ? `a${row}` : `${column}1`);
  for (const part of ["lines", "areas"]) {
    document[part] = document[part]
      ?.map((entry) => (entry.fields ? { ...entry, fields: fieldsOf(grid, entry.fields) } : entry))
      .filter((entry) => entry.fields?.length ?? isEdge(entry));
  }
  for (const kind of ["links", "walls"]) {
    document[kind] = document[kind]?.filter((pair) => fieldsOf(grid, pair).length === 2);
  }
  for (const name in document.tracks) {
    if (!isField(grid, name) || isVolcano(grid.at.get(name))) delete document.tracks[name];
  }
}

export const sameSet = (a, b) => a.length === b.length && a.every((name) => b.includes(name));
export const sortNames = (names) =>
  [...new Set(names)].sort((a, b) => rowOf(a) - rowOf(b) || columnOf(a) - columnOf(b));
// Return the key for “there is nothing on these fields”: an FNV-1a hash of their names.
export function keyOf(names) {
  let hash = 0xcbf29ce484222325n;
  for (const letter of `nothing ${sortNames(names).join(" ")}`) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
export const entryKey = (entry) =>
  JSON.stringify([sortNames(entry.fields), entry.points ?? null, entry.race ?? null]);

function replaceEntry(document, part, act) {
  const entries = (document[part] ??= []);
  const now = act.now && { ...act.now, fields: sortNames(act.now.fields) };
  if (!act.was) {
    if (now) entries.push(now);
    return;
  }
  const at = entries.findIndex((entry) => entry.fields && entryKey(entry) === entryKey(act.was));
  if (at >= 0) entries.splice(at, 1, ...(now ? [now] : []));
}

const APPLY = {
  squares(document, act) {
    const grid = gridOf(document);
    for (const [name, put] of Object.entries(act.put)) {
      const square = grid.at.get(name);
      if (!square) continue;
      Object.assign(square, put);
      if (isHole(square)) Object.assign(square, { printed: false, symbol: "" });
      if (put.number && put.number !== signs.none && isVolcano(square)) square.symbol = "";
      if (isVolcano(square)) Object.assign(square, { number: signs.none, printed: false });
      if (put.symbol === planet && isOpen(square)) square.number = signs.none;
    }
    writeGrid(document, grid);
  },
  "row-line"(document, act) {
    const key = act.row ? "row" : "column";
    const lines = (document.lines ??= []);
    const line = lines.find((one) => one[key] === act[key]);
    if (act.points === null) document.lines = lines.filter((one) => one[key] !== act[key]);
    else if (line) line.points = act.points;
    else lines.push({ [key]: act[key], points: act.points });
  },
  chain: (document, act) => replaceEntry(document, "lines", act),
  area: (document, act) => replaceEntry(document, "areas", act),
  pair(document, act) {
    for (const kind of ["links", "walls"]) {
      document[kind] = (document[kind] ?? []).filter((pair) => !sameSet(pair, act.fields));
    }
    if (act.on) document[act.kind].push(sortNames(act.fields));
  },
  track(document, act) {
    document.tracks ??= {};
    if (act.shape) document.tracks[act.at] = act.shape;
    else delete document.tracks[act.at];
  },
  shift(document, act) {
    document.shifts ??= document.grid.map(() => 0);
    document.shifts[act.row - 1] = act.quarters / 4;
  },
  points(document, act) {
    const points = (document.points ??= {});
    const place = act.colour ? (points[act.of] ??= {}) : points;
    const key = act.colour || act.of;
    if (act.points === null) delete place[key];
    else place[key] = act.points;
  },
  count(document, act) {
    const counts = (document[act.of] ??= {});
    if (act.count === null) delete counts[act.players];
    else counts[act.players] = act.count;
  },
  ratings(document, act) {
    if (act.totals) document.ratings = act.totals;
    else delete document.ratings;
  },
  text(document, act) {
    const isOwn = ["name", "about", "author"].includes(act.of);
    const place = isOwn ? document : (document.labels ??= {});
    if (!act.language) {
      place[act.of] = act.text;
      return;
    }
    let texts = place[act.of] ?? {};
    if (typeof texts === "string") texts = Object.fromEntries(words.languages.map(([language]) => [language, texts]));
    place[act.of] = { ...texts, [act.language]: act.text };
    if (!act.text) delete place[act.of][act.language];
  },
  difficulty(document, act) {
    document.difficulty = act.stars;
  },
  marks(document, act) {
    const isRails = act.marks === "tracks";
    Object.assign(document, { marks: act.marks, tracks: {} });
    if (!isRails) return;
    delete document.shifts;
    const grid = gridOf(document);
    for (const square of grid.at.values()) {
      square.printed = false;
      if (words.offRails.includes(square.symbol)) square.symbol = "";
    }
    writeGrid(document, grid);
  },
  "level-id"(document, act) {
    document.id = act.level_id;
  },
  "repeat-last"(document, act) {
    document.repeat_last = act.on;
  },
  size(document, act) {
    const open = parseSquare(signs.open);
    const grid = gridOf(document);
    grid.rows.length = Math.min(grid.rows.length, act.rows);
    while (grid.rows.length < act.rows) grid.rows.push([]);
    for (const row of grid.rows) {
      row.length = Math.min(row.length, act.columns);
      while (row.length < act.columns) row.push(open);
    }
    writeGrid(document, grid);
    if (document.shifts) document.shifts = grid.rows.map((_, row) => document.shifts[row] ?? 0);
  },
};

// Return the document with acts applied.
export function applyActs(document, acts) {
  const copy = structuredClone(document);
  for (const act of acts) APPLY[act.do]?.(copy, act);
  return copy;
}
