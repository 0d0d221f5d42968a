// Tools for rows and columns: size, inserting, removing, moving, shifting, and pasting text.
import { act, onChange, sayNotice } from "./acts.js";
import { bench } from "./bench.js";
import { columnOf, nameOf, rowOf } from "./draft.js";
import { complain, write } from "./inputs.js";
import { byId, fill, page, words } from "./page.js";

const { say } = words;

const size = () => ({ columns: bench.grid.columns, rows: bench.grid.rows.length });
function resize(which, value) {
  const wanted = { ...size(), [which]: value };
  const isFine = Number.isInteger(value) && value >= 1 && value <= words.most.side;
  complain(byId(which), isFine, fill(say.badNumber, { least: 1, most: words.most.side }));
  if (isFine && wanted[which] !== size()[which]) act({ do: "size", ...wanted });
}
for (const which of ["columns", "rows"]) {
  byId(which)?.addEventListener("change", (event) => resize(which, Number(event.target.value)));
}
const place = (which) => (which === "row" ? { row: rowOf(bench.cursor) + 1 } : { column: bench.cursor[0] });
const STEPS = { "row up": [0, -1], "row down": [0, 1], "column up": [-1, 0], "column down": [1, 0] };
const quarters = (row) => Math.round((bench.draft.shifts?.[row] ?? 0) * 4);
const shift = (row, by) => act({ do: "shift", row, quarters: Math.max(-3, Math.min(3, quarters(row - 1) + by)) });
Object.assign(bench.acts, {
  size: (which, by) => resize(which, size()[which] + Number(by)),
  insert: (which) => act({ do: "insert", ...place(which) }),
  remove: (which) => act({ do: "remove", ...place(which) }),
  arrange(which, how) {
    // The cursor moves with the row or column, so that a second tap moves it further.
    const [right, down] = STEPS[`${which} ${how}`] ?? [0, 0];
    const moved = nameOf(columnOf(bench.cursor) + right, rowOf(bench.cursor) + down);
    if (!bench.grid.at.has(moved)) return;
    act({ do: "arrange", ...place(which), how });
    bench.moveTo(moved);
  },
  shift: (by) => shift(place("row").row, Number(by)),
  straighten: () => act({ do: "shift", ...place("row"), quarters: 0 }),
  stagger: () => act(...bench.grid.rows.map((_, i) => ({ do: "shift", row: i + 1, quarters: i % 2 ? 2 : 0 }))),
  paste,
});
function shiftByKey(key) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!by || bench.draft.marks === "tracks") return false;
  bench.acts.shift(by);
  return true;
}
// Return the parts with their numbers that a change of the sheet's kind removes.
function lossOf(marks) {
  if (marks === "crosses") return [[say.printedTracks, Object.keys(bench.draft.tracks ?? {}).length]];
  const squares = [...bench.grid.at.values()];
  return [
    [say.printedCrosses, squares.filter((square) => square.printed).length],
    [say.rockets, squares.filter((square) => words.offRails.includes(square.symbol)).length],
    [say.movedRows, (bench.draft.shifts ?? []).filter(Boolean).length],
  ];
}
export function setRails(isRails) {
  const marks = isRails ? "tracks" : "crosses";
  const lost = lossOf(marks).filter(([, count]) => count);
  act({ do: "marks", marks });
  const what = lost.map(([name, count]) => `${name} (${count})`).join(", ");
  if (lost.length) sayNotice(fill(say.dropped, { what }));
}
byId("rails")?.addEventListener("change", (event) => setRails(event.target.checked));
// Fill the text box with the sheet's rows, also for copying.
let offered = "";
byId("paste")?.closest("details").addEventListener("toggle", () => {
  const paste = byId("paste");
  if (paste.value === offered) paste.value = offered = bench.draft.grid.join("\n");
});
const isSquare = (token) => RegExp(`^(?:${words.square})$`).test(token);
function faultOf(rows, width) {
  const row = rows.findIndex((tokens) => !tokens.every(isSquare));
  if (row >= 0) return fill(say.pasteFails, { row: row + 1, word: rows[row].find((token) => !isSquare(token)) });
  return rows.length && Math.max(rows.length, width) <= words.most.side ? "" : fill(say.pasteSize, { most: words.most.side });
}
function paste() {
  const rows = byId("paste").value.split("\n").map((row) => row.trim().split(/\s+/).filter(Boolean)).filter((row) => row.length);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const fault = faultOf(rows, width);
  complain(byId("paste"), !fault, fault);
  if (fault) return;
  act({ do: "grid", rows: rows.map((row) => [...row, ...Array(width - row.length).fill(words.signs.hole)].join(" ")) });
  const short = rows.flatMap((row, i) => (row.length < width ? [i + 1] : []));
  if (short.length) sayNotice(fill(say.padded, { rows: short.join(", ") }));
}
function showShift() {
  const row = rowOf(bench.cursor);
  document.querySelector(".shift").hidden = bench.draft.marks === "tracks";
  const by = quarters(row);
  const sentence = by < 0 ? say.movedLeft : by > 0 ? say.movedRight : say.straight;
  byId("shift-at").textContent = fill(sentence, { row: row + 1, far: " ¼½¾"[Math.abs(by)] });
}
bench.tools.shifts = { hasCursor: true, shiftKey: shiftByKey, moved: showShift };
bench.tools.grid = {
  isForm: Boolean(page.dataset.step),
  hasCursor: !page.dataset.step,
  shiftKey: shiftByKey,
  moved() {
    write(byId("columns"), size().columns);
    write(byId("rows"), size().rows);
    if (!byId("rails")) return;
    byId("grid-at").textContent = bench.cursor;
    byId("rails").checked = bench.draft.marks === "tracks";
    showShift();
  },
};
// In this step it is not the first tool, so it needs its own update.
if (page.dataset.step === "size") onChange(bench.tools.grid.moved);
