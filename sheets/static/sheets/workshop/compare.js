// Tool for comparing with the paper: first the fields row by row, then everything else, one thing after the other.
import { act, compared, known } from "./acts.js";
import { bench, put, putOn, square } from "./bench.js";
import { isHole, nameOf, rowOf } from "./draft.js";
import { describe } from "./draw.js";
import { NUMBERS } from "./numbers.js";
import { byId, fill, isWide, make, page, words } from "./page.js";

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

byId("check-symbol").addEventListener("change", (event) => putOn(bench.cursor, { symbol: event.target.value }));
Object.assign(bench.acts, {
  fix: (number) => put(bench.cursor, { number }),
  printed: () => putOn(bench.cursor, { printed: !square().printed }),
  "row-right": rowRight,
  row: (by) => toRow(at() + Number(by)),
});
const MOVES = { ArrowUp: -1, ArrowDown: 1 };
byId("compare-rows").addEventListener("keydown", (event) => {
  if (!(event.key in MOVES) || event.target.matches("select, input")) return;
  bench.acts.row(MOVES[event.key]);
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
    else if (key in MOVES) bench.acts.row(MOVES[key]);
    else if (key in NUMBERS) put(bench.cursor, { number: NUMBERS[key] });
    else return false;
    return true;
  },
  moved() {
    const track = bench.draft.tracks?.[bench.cursor];
    byId("check-symbol").value = square().symbol;
    byId("check-printed").setAttribute("aria-pressed", square().printed);
    byId("check-printed").hidden = bench.draft.marks === "tracks";
    byId("check-name").textContent = `${bench.cursor}:`;
    byId("check-words").textContent = describe(square(), track);
    nameRight();
    listThings();
    count();
  },
};

// Everything else -------------------------------------------------------------------------------

// The checklist is from the server (_things.html). A list has the entries of one step of the guide.
const thingList = byId("thing-list");
const boxes = (holder = thingList) => [...holder.querySelectorAll("[data-thing]")];
const keysOf = (holder) => boxes(holder).map((box) => box.dataset.thing).join();
const isTicked = (box) => compared().has(box.dataset.thing);
const openThings = (holder) => boxes(holder).filter((box) => !isTicked(box));
const boxOf = (key) => boxes().find((box) => box.dataset.thing === key);
const MIN_AT_ONCE = 3; // open entries of a list from which one button confirms all
let now = "";
let listed; // as the page came
function light(key) {
  now = key;
  bench.lit = boxOf(key)?.dataset.fields.split(" ").filter(Boolean) ?? [];
  bench.draw();
  listThings();
}
function tick(ticked, isOn) {
  act(...ticked.map((box) => ({ do: "compare", thing: box.dataset.thing, on: isOn })));
  const open = isOn ? openThings() : ticked;
  const place = boxes().indexOf(ticked.at(-1));
  const next = open.find((box) => boxes().indexOf(box) > place) ?? open[0];
  light(next?.dataset.thing ?? "");
  if (!isOn || !next) return;
  next.focus({ preventScroll: true });
  show(next.closest("li"));
}
// Scroll to an element. If that moves it at all, centre it, so that it does not land under the finger that has just
// tapped.
function show(element) {
  const before = element.getBoundingClientRect().top;
  element.scrollIntoView({ block: "nearest" });
  if (element.getBoundingClientRect().top !== before) element.scrollIntoView({ block: "center" });
}
thingList.addEventListener("change", ({ target }) => tick([target], target.checked));
thingList.addEventListener("focusin", ({ target: { dataset } }) => {
  if (dataset.thing && now !== dataset.thing) light(dataset.thing);
});
const listOf = (button) => button.parentElement.nextElementSibling;
thingList.addEventListener("click", ({ target }) => {
  if ("group" in target.dataset) tick(openThings(listOf(target)), true);
});
function listThings() {
  const { things } = known();
  if (things !== listed) {
    const fresh = make("div", {});
    fresh.innerHTML = listed = things;
    if (keysOf(fresh) !== keysOf(thingList)) thingList.replaceChildren(...fresh.childNodes);
  }
  for (const box of boxes()) {
    box.checked = isTicked(box);
    box.closest("li").classList.toggle("now", box.dataset.thing === now);
  }
  for (const button of thingList.querySelectorAll("[data-group]")) {
    const { length } = openThings(listOf(button));
    button.hidden = length < MIN_AT_ONCE;
    button.textContent = fill(say.theseRight, { count: length });
    button.setAttribute("aria-label", `${button.previousElementSibling.textContent}${say.colon} ${button.textContent}`);
  }
}

// Both ------------------------------------------------------------------------------------------

function count() {
  const all = [bench.grid.rows.length, boxes().length];
  const done = [all[0] - openRows().length, all[1] - openThings().length];
  byId("rows-done").textContent = fill(say.doneOf, { done: done[0], all: all[0] });
  byId("things-done").textContent = fill(say.doneOf, { done: done[1], all: all[1] });
  const isAll = done[0] + done[1] === all[0] + all[1];
  const sentence = isAll ? say.allCompared : fill(say.compared, { done: done[0] + done[1], all: all[0] + all[1] });
  if (byId("check-progress").textContent !== sentence) byId("check-progress").textContent = sentence;
  byId("check-progress").className = isAll ? "alert good slim" : "for-ears";
  // The page's main button is the next thing to do.
  byId("row-right").classList.toggle("primary", !isAll);
  byId("next-step")?.classList.toggle("primary", isAll);
}
function choose(wanted) {
  comparing = wanted;
  page.dataset.comparing = comparing;
  for (const button of document.querySelectorAll("button[data-comparing]")) {
    button.setAttribute("aria-pressed", button.dataset.comparing === comparing);
  }
  byId("compare-rows").hidden = comparing !== "rows";
  byId("compare-things").hidden = comparing !== "things";
  bench.photo?.show(comparing === "rows");
  frame.scrollTop = 0;
  const [open] = openThings();
  light(comparing === "things" ? (open?.dataset.thing ?? "") : "");
  if (comparing === "things" && open) open.closest("li").scrollIntoView({ block: "nearest" });
}
for (const button of document.querySelectorAll("button[data-comparing]")) {
  button.addEventListener("click", () => choose(button.dataset.comparing));
}
document.addEventListener("DOMContentLoaded", () => {
  const open = openRows();
  if (open.length) toRow(open[0]);
  choose(open.length ? "rows" : "things");
});
