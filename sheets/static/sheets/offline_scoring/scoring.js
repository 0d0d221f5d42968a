// Score of a sheet by items: port of sheets/rules/scoring.py. `score_column` (sheets/rules/score_column.py) sends the
// rows of a level with their fields; this module implements the ways of paying.
// tests/browser/test_scoring_scripts.py compares both implementations on thousands of sheets.
import { findRoutes } from "./rails.js";

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

// Return an item of the score column, as `Item`.
const item = (row, points, more = {}) => {
  const { category, key } = row;
  return { category, key, points, fields: [], missing: [], spoilt: [], ...more };
};

// Return an item with its fields divided into crossed, missing and spoilt (no longer possible).
function itemOf(row, sheet, points) {
  const isSpoilt = (at) => sheet.exploded.has(at) || sheet.lava.has(at);
  const left = row.fields.filter((at) => !sheet.crosses.has(at));
  return item(row, points, {
    fields: row.fields.filter((at) => sheet.crosses.has(at)),
    missing: left.filter((at) => !isSpoilt(at)),
    spoilt: left.filter(isSpoilt),
  });
}

const counted = (row, fields, each) => item(row, each * fields.length, { fields });
const crossed = (row, sheet) => row.fields.filter((at) => sheet.crosses.has(at));

const PAYS = {
  each: (row, sheet) => [itemOf(row, sheet, row.points * crossed(row, sheet).length)],
  all: (row, sheet) => [itemOf(row, sheet, row.fields.every((at) => sheet.crosses.has(at)) ? row.points : 0)],
  circled: (row, sheet) => [itemOf(row, sheet, sheet.circled[row.place] ?? 0)],
  costs: (row, sheet) => [counted(row, crossed(row, sheet), row.points)],
  exploded(row, sheet, { isSolo }) {
    if (isSolo) return [counted(row, crossed(row, sheet), row.solo)];
    return [counted(row, row.fields.filter((at) => sheet.exploded.has(at)), row.points)];
  },
  tracks(row, sheet, { loops, open }) {
    const paid = (key, fields) => counted({ ...row, key }, fields, row.points[key]);
    return [...loops.map((fields, rank) => paid(rank ? "loop" : "longest", fields)), paid("route", open)];
  },
  "on-loop"(row, sheet, { loops }) {
    const reached = new Set(loops.flat());
    const fields = row.fields.filter((at) => reached.has(at));
    const missing = row.fields.filter((at) => !reached.has(at));
    return [item(row, row.points * fields.length, { fields, missing })];
  },
};

function routesOf(column, sheet) {
  const routes = findRoutes(column.beyond, sheet.tracks);
  const loops = routes.filter(({ isLoop }) => isLoop).map(({ fields }) => fields);
  const open = new Set(routes.flatMap(({ isLoop, fields }) => (isLoop ? [] : fields)));
  return {
    loops: loops.sort((a, b) => b.length - a.length),
    open: Object.keys(column.beyond).filter((at) => open.has(at)),
  };
}

// Return `{ total, marks, by, items }`, as `score_sheet`.
export function scoreSheet(column, sheet, isSolo) {
  const around = { isSolo, ...routesOf(column, sheet) };
  const items = column.rows.flatMap((row) => PAYS[row.pays](row, sheet, around));
  const by = {};
  for (const { category, points } of items) by[category] = (by[category] ?? 0) + points;
  return { total: sum(Object.values(by)), marks: sheet.crosses.size, by, items };
}

// Return the indexes of the winners: most points, then fewest crosses, then shared.
export function findWinners(scores) {
  const isBetter = (a, b) => a.total > b.total || (a.total === b.total && a.marks < b.marks);
  return [...scores.keys()].filter((i) => !scores.some((other) => isBetter(other, scores[i])));
}

// Return the grade of a solo game: the number of limits reached.
export const rate = (total, ratings) => ratings.filter((limit) => total >= limit).length;
