// Tool for comparing with the paper: first the fields row by row, then everything else, one thing after the other.
import { act, compared, known } from "./acts.js";
import { bench, put, putOn, square } from "./bench.js";
import { isHole, nameOf, rowOf } from "./draft.js";
import { NUMBERS } from "./numbers.js";
import { byId, fill, isWide, page, words } from "./page.js";

const { say } = words;
const frame = byId("draft-frame");
let comparing = "rows";
const isStrip = () => comparing === "rows" && !isWide.matches;

// Rows ------------------------------------------------------------------------------------------

const at = () => rowOf(bench.cursor);
// The key contains the row's content, so that a changed row must be compared again.
const rowKey = (i) =>
  `row ${i + 1} ${bench.draft.grid[i].trim().split(/\s+/).map((token, column) => token + (bench.draft.tracks?.[nameOf(column, i)] ?? "")).join(" ")}`;
// Return whether a part of the row is still out of sight, and so was not compared yet.
const isMore = () => isStrip() && frame.scrollWidth - frame.clientWidth - frame.scrollLeft > byId("draft").clientWidth / bench.grid.columns / 2;
const isCompared = (i) => compared().has(rowKey(i));
const openRows = () => bench.grid.rows.map((_, i) => i).filter((i) => !isCompared(i));
const isInGrid = () => byId("grid").contains(document.activeElement);
function toRow(i) {
  if (i < 0 || i >= bench.grid.rows.length) return;
  const first = bench.grid.rows[i].findIndex((one) => !isHole(one));
  bench.moveTo(nameOf(Math.max(0, first), i), { focus: isInGrid() });
}
function rowRight() {
  const row = at();
  if (isMore()) return frame.scrollBy(frame.clientWidth * 0.8, 0);
  if (!isCompared(row)) act({ do: "compare", thing: rowKey(row), on: true });
  const open = openRows();
  const next = open.find((i) => i > row) ?? open[0];
  if (next !== undefined) toRow(next);
  else choose("things");
}

function nameRight() {
  const sentence = fill(isMore() ? say.rowRest : say.rowRight, { row: at() + 1 });
  byId("row-right").textContent = `${isCompared(at()) ? "✓ " : ""}${sentence}`;
}
frame.addEventListener("scroll", nameRight);

byId("check-symbol").append(
  new Option("–", ""),
  ...Object.entries(words.written).map(([symbol, { says }]) => new Option(says, symbol)),
);
byId("check-symbol").addEventListener("change", (event) => putOn(bench.cursor, { symbol: event.target.value }));
byId("check-printed").addEventListener("click", () => putOn(bench.cursor, { printed: !square().printed }));
for (const button of document.querySelectorAll("[data-fix]")) {
  button.addEventListener("click", () => put(bench.cursor, { number: button.dataset.fix }));
}
const ACTS = { "row-right": rowRight, "row-before": () => toRow(at() - 1), "row-after": () => toRow(at() + 1) };
const MOVES = { ArrowUp: "row-before", ArrowDown: "row-after" };
byId("compare-rows").addEventListener("click", (event) => ACTS[event.target.closest("[data-act]")?.dataset.act]?.());
byId("compare-rows").addEventListener("keydown", (event) => {
  if (!(event.key in MOVES) || event.target.matches("select, input")) return;
  ACTS[MOVES[event.key]]();
  event.preventDefault();
});

// On a phone, show one row below the same row of the photo. Without a photo also show its neighbours, as far as the
// keys stay in sight.
const hasPhoto = () => page.classList.contains("with-photo");
function painted(width, height) {
  const unit = byId("draft").clientWidth / (width + 0.08);
  const beside = hasPhoto() ? 0.3 : Math.max(0.3, Math.min(1.05, (innerHeight * 0.24) / unit / 2 - 0.5));
  const [from, to] = isStrip() ? [at() - beside, at() + 1 + beside] : [0, height];
  frame.style.height = isStrip() ? `${Math.round(unit * (to - from)) + byId("letters").offsetHeight}px` : "";
  if (isStrip()) frame.scrollTop = (from + 0.04) * unit;
  nameRight();
  bench.photo?.draw({ from, to, unit, width: width + 0.08, row: isStrip() ? null : at() });
}

bench.tools.check = {
  get hasCursor() {
    return comparing === "rows";
  },
  painted,
  // As small as a finger can still hit, in pixels, so that the whole row fits below its photo.
  tightest: () => (isStrip() ? 24 : undefined),
  sheetHeight: () => (comparing === "things" && !isWide.matches ? innerHeight * 0.34 : undefined),
  marks() {
    const marks = new Map();
    if (comparing === "things") return marks;
    for (const name of bench.grid.at.keys()) {
      if (rowOf(name) === at()) marks.set(name, isStrip() && hasPhoto() ? "" : "now");
      else if (isCompared(rowOf(name))) marks.set(name, "compared");
    }
    return marks;
  },
  key(key) {
    if (comparing === "things") return false;
    if (key === "Enter") rowRight();
    else if (key in MOVES) ACTS[MOVES[key]]();
    else if (key in NUMBERS) put(bench.cursor, { number: NUMBERS[key] });
    else return false;
    return true;
  },
  moved() {
    const track = bench.draft.tracks?.[bench.cursor];
    byId("check-symbol").value = square().symbol;
    byId("check-printed").setAttribute("aria-pressed", String(square().printed));
    byId("check-printed").hidden = bench.draft.marks === "tracks";
    byId("check-name").textContent = `${bench.cursor}:`;
    byId("check-words").textContent = bench.pen.describe(square(), track);
    nameRight();
    listThings();
    count();
  },
};

// Everything else -------------------------------------------------------------------------------

const things = () => known().things;
let now = "";
let listed = "";
const MIN_AT_ONCE = 3; // open entries of a group from which one button confirms all
const boxOf = (key) => byId("thing-list").querySelector(`[data-thing="${key}"]`);
function light(key) {
  now = key;
  bench.lit = things().find((thing) => thing.key === key)?.fields ?? [];
  bench.draw();
  listThings();
}
function tick(thing, isOn) {
  act({ do: "compare", thing: thing.key, on: isOn });
  if (isOn) onFrom(thing);
  else light(thing.key);
}
const openThings = () => {
  const ticked = compared();
  return things().filter((one) => !ticked.has(one.key));
};
const of = (group) => things().filter((one) => one.group === group);
const openIn = (group) => openThings().filter((one) => one.group === group);
function tickAll(group) {
  const open = openIn(group);
  act(...open.map((one) => ({ do: "compare", thing: one.key, on: true })));
  onFrom(open.at(-1));
}
function onFrom(thing) {
  const open = openThings();
  const place = things().findIndex((one) => one.key === thing.key);
  const next = open.find((one) => things().indexOf(one) > place) ?? open[0];
  light(next?.key ?? "");
  if (!next) return;
  const box = boxOf(next.key);
  box.focus({ preventScroll: true });
  show(box.closest("li"));
}
// Scroll to an element. If that moves it at all, centre it, so that it does not land under the finger that has just
// tapped.
function show(element) {
  const before = element.getBoundingClientRect().top;
  element.scrollIntoView({ block: "nearest" });
  if (element.getBoundingClientRect().top !== before) element.scrollIntoView({ block: "center" });
}
function item(thing) {
  const element = document.createElement("li");
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.dataset.thing = thing.key;
  box.addEventListener("change", () => tick(thing, box.checked));
  box.addEventListener("focus", () => now === thing.key || light(thing.key));
  label.append(box, thing.sentence);
  const mend = document.createElement("a");
  mend.href = thing.mendUrl;
  mend.textContent = say.mend;
  mend.setAttribute("aria-label", `${say.mend}: ${thing.sentence}`);
  element.append(label, mend);
  return element;
}
function listThings() {
  const keys = JSON.stringify(things().map((thing) => thing.key));
  if (keys !== listed) {
    listed = keys;
    const groups = [...new Set(things().map((thing) => thing.group))];
    byId("thing-list").replaceChildren(...groups.flatMap((group) => {
      const heading = document.createElement("h2");
      heading.textContent = group;
      const all = document.createElement("button");
      all.type = "button";
      all.className = "button";
      all.dataset.group = group;
      all.addEventListener("click", () => tickAll(group));
      const head = document.createElement("div");
      head.className = "row middle spread tight thing-head";
      head.append(heading, ...(of(group).length < MIN_AT_ONCE ? [] : [all]));
      const list = document.createElement("ul");
      list.append(...of(group).map(item));
      return [head, list];
    }));
  }
  const ticked = compared();
  for (const box of byId("thing-list").querySelectorAll("input")) {
    box.checked = ticked.has(box.dataset.thing);
    box.closest("li").classList.toggle("now", box.dataset.thing === now);
  }
  for (const all of byId("thing-list").querySelectorAll("[data-group]")) {
    const { length } = openIn(all.dataset.group);
    all.hidden = length < MIN_AT_ONCE;
    all.textContent = fill(say.theseRight, { count: length });
    all.setAttribute("aria-label", `${all.dataset.group}: ${all.textContent}`);
  }
}

// Both ------------------------------------------------------------------------------------------

function count() {
  const all = [bench.grid.rows.length, things().length];
  const done = [all[0] - openRows().length, all[1] - openThings().length];
  byId("rows-done").textContent = fill(say.doneOf, { done: done[0], all: all[0] });
  byId("things-done").textContent = fill(say.doneOf, { done: done[1], all: all[1] });
  const isAll = done[0] + done[1] === all[0] + all[1];
  const sentence = isAll ? say.allCompared : fill(say.compared, { done: done[0] + done[1], all: all[0] + all[1] });
  if (byId("check-progress").textContent !== sentence) byId("check-progress").textContent = sentence;
  byId("check-progress").classList.toggle("fine", isAll);
}
function choose(wanted) {
  comparing = wanted;
  page.dataset.comparing = comparing;
  for (const button of document.querySelectorAll("button[data-comparing]")) {
    button.setAttribute("aria-pressed", String(button.dataset.comparing === comparing));
  }
  byId("compare-rows").hidden = comparing !== "rows";
  byId("compare-things").hidden = comparing !== "things";
  bench.photo?.show(comparing === "rows");
  frame.scrollTop = 0;
  const [open] = openThings();
  light(comparing === "things" ? (open?.key ?? "") : "");
  if (comparing === "things" && open) boxOf(open.key).closest("li").scrollIntoView({ block: "nearest" });
}
for (const button of document.querySelectorAll("button[data-comparing]")) {
  button.addEventListener("click", () => choose(button.dataset.comparing));
}
document.addEventListener("DOMContentLoaded", () => {
  const open = openRows();
  if (open.length) toRow(open[0]);
  choose(open.length ? "rows" : "things");
});
