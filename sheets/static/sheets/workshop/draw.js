// Drawing of a draft as SVG, including holes and open fields. A field is 100 units wide.
import { picture as pictureOf } from "../lib/art.js";
import { columnOf, fieldsOf, isHole, isOpen, isVolcano, nameOf, rowOf } from "./draft.js";
import { words } from "./page.js";

const { signs, written } = words;

// Numbers: x of the centre, y of the baseline, and size; alone on a field, next to a symbol, and over a photo.
const FONT = { alone: [50, 75.5, 69], beside: [27, 54.5, 63], small: [15, 31, 36] };
const DASHES = 6; // number of dash patterns for chains
// Height of a badge and maximum size of its text, for 1, 2, and 3 or more characters.
const BADGES = [[28, 33], [25, 28], [19.5, 22]];

// Return the points of all arrows by row number or column letter.
export function payingLines(draft) {
  const paying = new Map();
  for (const { row, column, points } of draft.lines ?? []) {
    const which = row ?? column;
    if (which) paying.set(which, (paying.get(which) ?? 0) + points);
  }
  return paying;
}

const NEAR_QUARTERS = [0, -1, 1, -2, 2, -3, 3]; // offsets at which fields of two rows touch, in quarters of a field
const ARROW = { breadth: 0.6, gap: 0.02 }; // in fields

// Return the layout in fields: `x(column, row)`, `width`, `height`, `room` for arrows, and `foot(column)`, the top
// left corner of a column's arrow.
export function layOut(draft, grid, room) {
  const shifts = draft.shifts ?? grid.rows.map(() => 0);
  const left = Math.min(0, ...shifts);
  const width = grid.columns + Math.max(0, ...shifts) - left;
  const x = (column, row) => column + (shifts[row] ?? 0) - left;
  const paying = [...payingLines(draft).keys()].filter((which) => typeof which === "string").map(columnOf);
  let ground; // calculated only if there is an arrow
  const foot = (column) => {
    ground ??= groundOf(grid, x);
    return feet(ground, [...new Set([...paying, column])].sort((a, b) => a - b), x).get(column);
  };
  return { x, foot, width, height: grid.rows.length, room };
}

// Calculate the input of `feet` once for all columns. Fields are in reading order.
function groundOf(grid, x) {
  const names = fieldsOf(grid);
  const fields = (names.length ? names : [...grid.at.keys()]).map((name) => [columnOf(name), rowOf(name)]);
  const lefts = fields.map(([column, row]) => x(column, row));
  return {
    lowest: new Map(fields),
    places: new Set(fields.map(([, row], i) => `${lefts[i] * 4},${row}`)),
    last: fields.at(-1)[1],
    sides: [Math.min(...lefts), Math.max(...lefts) + 1],
  };
}

// Return the arrow positions by column, as sheets/art/layout.py: right below the column's lowest field, or at the
// bottom of the sheet if a field of a shifted row is in the way.
function feet({ lowest, places, last, sides }, columns, x) {
  const found = new Map();
  for (const column of columns) {
    const row = lowest.get(column) ?? last;
    const isBlocked = NEAR_QUARTERS.some((by) => places.has(`${x(column, row) * 4 + by},${row + 1}`));
    const ground = isBlocked ? last : row;
    found.set(column, { x: x(column, ground) + (1 - ARROW.breadth) / 2, y: ground + 1 });
  }
  // At the bottom, keep arrows within the sheet's sides and apart from each other.
  const atFoot = columns.map((column) => found.get(column)).filter(({ y }) => y === last + 1);
  let [limit] = sides;
  for (const place of atFoot) {
    place.x = Math.max(place.x, limit);
    limit = place.x + ARROW.breadth + ARROW.gap;
  }
  limit = sides[1] - ARROW.breadth;
  for (const place of atFoot.reverse()) {
    place.x = Math.min(place.x, limit);
    limit = place.x - ARROW.breadth - ARROW.gap;
  }
  return found;
}

// Draw a number from glyph outlines, centred on x with its baseline at y.
function number(text, x, y, size, paint, more = "") {
  const scale = size / 100;
  const glyphs = [...String(text)].map((c) => words.glyphs[c] ?? words.glyphs["−"]);
  let at = x - (glyphs.reduce((sum, glyph) => sum + glyph[1], 0) * scale) / 2;
  return glyphs
    .map(([id, advance]) => {
      const use = `<use class="${paint}" ${more}href="#${id}" transform="translate(${at.toFixed(1)} ${y})scale(${scale})"/>`;
      at += advance * scale;
      return use;
    })
    .join("");
}
export const digits = (points) => String(points).replace("-", "−");

// Return an <svg> with a symbol in its colours.
export function picture(symbol) {
  const drawing = pictureOf(written[symbol].drawing);
  drawing.classList.add(`g-${written[symbol].group}`);
  return drawing;
}

function inside(square, track, paper, isBeside) {
  if (isHole(square)) return "";
  const use = (id, x, y, size) =>
    `<use href="#art-${id}" x="${x}" y="${y}" width="${size}" height="${size}"/>`;
  const hasNumber = words.numbers.includes(square.number);
  const isSmall = hasNumber || isOpen(square);
  let parts = "";
  // Over the photo of the empty sheet, draw the entered content small, in the corners.
  if (isBeside) {
    if (square.symbol) parts += use(written[square.symbol].drawing, 62, 62, 36);
    if (square.printed) parts += use("cross-print", 64, 0, 36);
    if (track) parts += use(`track-${track}-print`, 64, 0, 36);
    if (hasNumber) parts += number(square.number, ...FONT.small, `art read s-${paper}`, 'stroke-width="16" ');
    return parts;
  }
  if (square.symbol) parts += use(written[square.symbol].drawing, ...(isSmall ? [46.5, 46.5, 49] : [7, 7, 86]));
  if (square.printed) parts += use("cross-print", 0, 0, 100);
  if (track) parts += use(`track-${track}-print`, 0, 0, 100);
  if (hasNumber) parts += number(square.number, ...FONT[square.symbol ? "beside" : "alone"], `art f-ink s-${paper}`, 'stroke-width="5" ');
  if (isOpen(square)) {
    const [x, y] = square.symbol ? [27, 27] : [50, 50];
    parts += `<circle class="unknown" cx="${x}" cy="${y}" r="7"/>`;
  }
  return parts;
}
function field(square, track, name, classes, place, isBeside) {
  const group = written[square.symbol]?.group;
  const paper = group ? "tint" : "paper";
  return (
    `<g class="art-field${group ? ` g-${group}` : ""}${isHole(square) ? " hole" : ""}${isOpen(square) ? " open" : ""}${classes}" data-field="${name}" transform="${place}">` +
    `<rect class="paper ${isHole(square) ? "" : `f-${paper} s-field-line`}" width="100" height="100" rx="14" stroke-width="2.5"/>` +
    `${inside(square, track, paper, isBeside)}</g>`
  );
}

// Return the left side of a field, in quarters of a field.
const quarters = (layout, name) => Math.round(layout.x(columnOf(name), rowOf(name)) * 4);

// Return the outline of a set of fields: the edges with the set on one side only, in quarters of a field.
export function outline(layout, names) {
  const inside = new Set();
  for (const name of names) {
    for (let part = 0; part < 4; part++) inside.add(`${quarters(layout, name) + part},${rowOf(name)}`);
  }
  let path = "";
  for (const key of inside) {
    const [x, y] = key.split(",").map(Number);
    for (const side of [0, 1]) {
      if (!inside.has(`${x + side * 2 - 1},${y}`)) path += `M${(x + side) * 25} ${y * 100}v100`;
      if (!inside.has(`${x},${y + side * 2 - 1}`)) path += `M${x * 25} ${(y + side) * 100}h25`;
    }
  }
  return path;
}
// Return a path inside each field of a chain. The dashes restart on each side.
const squares = (layout, names) =>
  names.map((name) => `M${layout.x(columnOf(name), rowOf(name)) * 100 + 7} ${rowOf(name) * 100 + 7}h86m0 0v86m0 0h-86m0 0v-86`).join("");
export const middle = (layout, name) => [layout.x(columnOf(name), rowOf(name)) * 100 + 50, rowOf(name) * 100 + 50];

const widthOf = (text, size) => [...text].reduce((sum, c) => sum + words.glyphs[c][1], 0) * (size / 100);
const fitted = (text, most, room) => Math.min(most, (most * room) / widthOf(text, most));
// Return the text of a badge, as sheets/art/layout.py: for a long race only the first and the last number.
function pays(entry) {
  if (!entry.race) return digits(entry.points ?? "");
  const text = entry.race.map(digits).join("·");
  return widthOf(text, 20) <= 88 ? text : `${digits(entry.race[0])}··${digits(entry.race.at(-1))}`;
}
// Return the connected components of an area's fields.
function pieces(layout, names) {
  const left = new Map(names.map((name) => [`${quarters(layout, name)},${rowOf(name)}`, name]));
  const found = [];
  for (const [first] of left) {
    const piece = [];
    const ahead = [first];
    while (ahead.length) {
      const at = ahead.pop();
      if (!left.has(at)) continue;
      piece.push(left.get(at));
      left.delete(at);
      const [x, y] = at.split(",").map(Number);
      ahead.push(`${x - 4},${y}`, `${x + 4},${y}`);
      for (const by of NEAR_QUARTERS) ahead.push(`${x + by},${y - 1}`, `${x + by},${y + 1}`);
    }
    found.push(piece);
  }
  return found;
}

// Draw a badge in the free corner that is furthest up and right.
function badge(layout, grid, tracks, { entry, names }, taken) {
  const text = pays(entry);
  if (!text) return "";
  const [height, most] = BADGES[Math.min(text.length, 3) - 1];
  const places = new Set(names.map((name) => `${quarters(layout, name)},${rowOf(name)}`));
  const sizeIn = (name, isTop) => fitted(text, most, (grid.at.get(name).symbol ? (isTop ? 50 : 42.9) : 96.4) - 8);
  const wideIn = (name, isTop) => Math.max(widthOf(text, sizeIn(name, isTop)) + 8, height);
  const isNarrow = (name) => wideIn(name, true) < 48;
  // Possible corners: top and right, each 1 or 0.
  const corners = (name) => {
    if (grid.at.get(name).symbol) return ["11", "00"];
    return isNarrow(name) ? ["11", "01", "10", "00"] : ["11", "01"];
  };
  const covered = (name, corner) =>
    (isNarrow(name) ? [corner] : [`${corner[0]}0`, `${corner[0]}1`]).map((one) => name + one);
  const rank = (name, corner) => {
    const square = grid.at.get(name);
    const near = (by) => places.has(`${quarters(layout, name) + by},${rowOf(name) - 1}`);
    return [
      covered(name, corner).some((one) => taken.has(one)),
      square.printed || tracks[name] || (square.symbol && square.number === signs.none),
      corner !== "11",
      NEAR_QUARTERS.some(near),
      square.symbol && text.length > 2,
    ].reduce((sum, one) => sum * 2 + Number(Boolean(one)), 0);
  };
  const ranked = names.flatMap((name) =>
    corners(name).map((corner) => [rank(name, corner), rowOf(name), -quarters(layout, name), name, corner]));
  if (!ranked.length) return "";
  const [, row, left, name, corner] = ranked.reduce((a, b) => ((a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) <= 0 ? a : b));
  for (const one of covered(name, corner)) taken.add(one);
  const isTop = corner[0] === "1";
  const [size, wide] = [sizeIn(name, isTop), wideIn(name, isTop)];
  const x = -left * 25 + (corner[1] === "1" ? 100 - wide : 0);
  const y = row * 100 + (isTop ? 0 : 100 - height);
  return (
    `<rect class="f-badge" x="${x}" y="${y}" width="${wide}" height="${height}" rx="8"/>` +
    number(text, x + wide / 2, y + height / 2 + size * 0.358, size, "f-on-badge")
  );
}

// Return the common edge of two fields that touch along at least half a side, else "".
function wall(layout, [a, b]) {
  const [ax, ay] = middle(layout, a);
  const [bx, by] = middle(layout, b);
  const [across, down] = [Math.abs(bx - ax), Math.abs(by - ay)];
  if (across === 100 && !down) return `M${(ax + bx) / 2} ${ay - 42}v84`;
  if (across > 50 || down !== 100) return "";
  return `M${Math.max(ax, bx) - 42} ${(ay + by) / 2}H${Math.min(ax, bx) + 42}`;
}

function arrow(layout, which, points) {
  const text = digits(points);
  const size = layout.room * 100;
  const isRow = typeof which === "number";
  const foot = isRow ? null : layout.foot(columnOf(which));
  const [x, y] = isRow
    ? [layout.width * 100 + 4.5, which * 100 - 50]
    : [(foot.x + ARROW.breadth / 2) * 100, foot.y * 100 + 4.5];
  const path = isRow ? `l12 -28h${size - 18}v56h${18 - size}z` : `l28 12v${size - 18}h-56v${18 - size}z`;
  const textSize = fitted(text, 30, isRow ? Math.max(size - 26, 28) : 50);
  const [right, down] = isRow ? [3 + size / 2, 0] : [0, 3 + size / 2];
  return (
    `<path class="f-badge" d="M${x} ${y}${path}"/>` +
    number(text, x + right, y + down + textSize * 0.358, textSize, "f-on-badge")
  );
}

export function furniture(draft, grid, layout) {
  let parts = "";
  for (const [a, b] of draft.links ?? []) {
    const [ax, ay] = middle(layout, a);
    const [bx, by] = middle(layout, b);
    const far = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) || 1;
    const [dx, dy] = [((bx - ax) / far) * 50, ((by - ay) / far) * 50];
    parts += `<path class="link-line" d="M${ax + dx} ${ay + dy}L${bx - dx} ${by - dy}"/>`;
    parts += `<circle class="link-end" cx="${ax + dx}" cy="${ay + dy}" r="6"/><circle class="link-end" cx="${bx - dx}" cy="${by - dy}" r="6"/>`;
  }
  const badges = [];
  const bordered = (entry, classes, line) => {
    // Volcanoes belong to no line or area.
    const names = fieldsOf(grid, entry.fields).filter((name) => !isVolcano(grid.at.get(name)));
    for (const piece of line === outline ? pieces(layout, names) : [names]) badges.push({ entry, names: piece });
    return `<path class="${classes}" d="${line(layout, names)}"/>`;
  };
  for (const area of draft.areas ?? []) parts += bordered(area, "border-line", outline);
  const chains = (draft.lines ?? []).filter((line) => line.fields);
  chains.forEach((line, i) => (parts += bordered(line, `chain-line dashes-${i % DASHES}`, squares)));
  // Place badges with the fewest possible fields first.
  const taken = new Set();
  for (const one of [...badges].sort((a, b) => a.names.length - b.names.length)) {
    one.drawn = badge(layout, grid, draft.tracks ?? {}, one, taken);
  }
  for (const { drawn } of badges) parts += drawn;
  for (const path of (draft.walls ?? []).map((pair) => wall(layout, pair)).filter(Boolean)) {
    parts += `<path class="wall-line" d="${path}"/><path class="wall-stones" d="${path}"/>`;
  }
  for (const [which, points] of payingLines(draft)) parts += arrow(layout, which, points);
  return parts;
}

// Return the drawings of all fields by name. `marks(name)` returns extra CSS classes.
export function fields(draft, grid, layout, marks, isBeside = false) {
  const drawn = new Map();
  grid.rows.forEach((squares, row) =>
    squares.forEach((square, column) => {
      const name = nameOf(column, row);
      const place = `translate(${layout.x(column, row) * 100 + 1.8} ${row * 100 + 1.8})scale(.964)`;
      drawn.set(name, field(square, draft.tracks?.[name], name, marks(name), place, isBeside));
    }),
  );
  return drawn;
}

// Return the description of a field for screen readers.
export function describe(square, track) {
  if (isHole(square)) return words.say.hole;
  const parts = [{ [signs.none]: words.say.none, [signs.open]: words.say.open }[square.number] ?? square.number];
  if (square.symbol) parts.push(written[square.symbol].says);
  if (square.printed) parts.push(words.say.printed);
  if (track) parts.push(words.say.track);
  return parts.join(", ");
}
