// The tool for numbers: typed on the sheet, or by the keys below it.
import { act } from "./acts.js";
import { bench, put, square } from "./bench.js";
import { isOpen, rowOf } from "./draft.js";
import { byId, empty, fill, words } from "./page.js";

const { tools } = bench;
const { hole, none, open } = words.signs;
// The numbers, and the signs for what has none, by the keys that enter them.
export const NUMBERS = { ...Object.fromEntries([...words.numbers, none, hole].map((sign) => [sign, sign])), 0: none };
const KEYS = { ...NUMBERS, [open]: open, ",": hole, " ": hole };
// Where a row's last number has led to: Enter after it, as after any row, goes no further.
let arrived = "";
const enter = (number) => {
  const at = bench.cursor;
  if (empty && [none, hole].includes(number)) [said, saidOf] = [number, at];
  put(at, { number });
  // Of a sheet that was read from a photo only some are left.
  bench.cursor = empty ? bench.nextOpen(at) ?? at : bench.after(at);
  arrived = rowOf(bench.cursor) > rowOf(at) ? bench.cursor : "";
  tools.numbers.moved();
  follow();
};
const follow = () => bench.moveTo(bench.cursor, { focus: byId("grid").contains(document.activeElement) });
const nextRow = () => {
  const row = rowOf(bench.cursor) + 1;
  if (bench.cursor !== arrived && row < bench.grid.rows.length) bench.cursor = `a${row + 1}`;
  arrived = "";
  follow();
};
const clear = () => put(bench.cursor, { number: open });
const stepBack = () => {
  // Behind the last field there is none to step back from.
  const isLast = bench.after(bench.cursor) === bench.cursor;
  if (!isLast || isOpen(square())) bench.cursor = bench.after(bench.cursor, -1);
  clear();
  follow();
};

// Of a symbol that stands alone, or a hole, the photo often has many: what was said of one goes for all
// that are open and look like it, if somebody says so: with the picture of that one, for another is asked by then.
let [said, saidOf] = ["", ""];
const readOn = (name) => Object.entries(empty.digits).find(([one]) => bench.nameNow(one) === name)?.[1];
function alike() {
  if (!square(saidOf) || isOpen(square(saidOf))) return []; // taken back
  const group = empty.groups.map((names) => names.map(bench.nameNow)).find((names) => names.includes(saidOf)) ?? [];
  return group.filter((one) => square(one) && isOpen(square(one)) && !readOn(one));
}
function enterAlike() {
  act({ do: "squares", put: Object.fromEntries(alike().map((name) => [name, { number: said }])) });
  bench.cursor = bench.nextOpen(bench.cursor) ?? bench.cursor;
  if (document.activeElement === byId("asked-alike")) bench.focus(); // it goes
  tools.numbers.moved();
  follow();
}

// The field as it is on the photo, large, and what was read there.
let isLooking = false;
const countOpen = () => [...bench.grid.at.values()].filter(isOpen).length;
function look() {
  const open = countOpen();
  byId("asked").textContent = open ? fill(words.say.asked, { count: open }) : words.say.noneAsked;
  bench.photo?.crop(bench.cursor, byId("asked-crop"));
  if (bench.photo && !isLooking) requestAnimationFrame(bench.toCursor);
  isLooking = Boolean(bench.photo);
  const others = alike();
  byId("asked-alike").hidden = others.length < 2;
  if (others.length > 1) bench.photo?.crop(saidOf, byId("alike-crop"));
  byId("alike-says").textContent = fill(words.say.alike, { count: others.length, field: saidOf, what: said === hole ? words.say.hole : words.say.none });
  const likely = readOn(bench.cursor);
  for (const key of document.querySelectorAll("[data-number]")) {
    key.classList.toggle("likely", isOpen(square()) && key.dataset.number === String(likely || ""));
  }
}

tools.numbers = {
  hasCursor: true,
  key(key) {
    if (key in KEYS) enter(KEYS[key]);
    else if (key === "Enter") nextRow();
    else if (key === "Backspace") stepBack();
    else if (key === "Delete") clear();
    else return false;
    return true;
  },
  moved() {
    byId("cursor-name").textContent = `${bench.cursor}: ${bench.pen.describe(square())}`;
    if (byId("asked")) look();
    // Whoever goes on leaves them behind: that is said where they do.
    const open = countOpen();
    if (byId("still-open")) byId("still-open").textContent = open ? fill(words.say.stillOpen, { count: open }) : "";
  },
};
for (const key of document.querySelectorAll("[data-number]")) {
  key.addEventListener("click", () => enter(key.dataset.number));
}
const ACTS = { "step-back": stepBack, "next-row": nextRow, "enter-alike": enterAlike };
document.addEventListener("click", (event) => {
  ACTS[event.target.closest("[data-act]")?.dataset.act]?.();
});
// The keypad's keys work wherever the focus is, as long as nobody is typing a text. A button keeps
// Enter and the space bar for itself; what else is typed there goes on at the sheet.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!["numbers", "check"].includes(bench.tool) || !byId("grid").getClientRects().length) return;
  if (event.target.closest("input, textarea, select, [role=grid]")) return;
  const isButton = event.target.closest("button, a, summary");
  const isTyped = (event.key in KEYS && event.key !== " ") || ["Backspace", "Delete"].includes(event.key);
  if (isButton && !isTyped) return;
  if (!tools[bench.tool].key(event.key)) return;
  event.preventDefault();
  if (isButton) bench.focus();
});
// A key that is tapped or clicked takes no focus, or Enter would press it once more.
for (const keypad of document.querySelectorAll(".keypad, .fixes")) {
  keypad.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (!byId("grid").contains(document.activeElement)) document.activeElement.blur();
  });
}
