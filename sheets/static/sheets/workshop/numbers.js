// The tool for numbers: typed on the sheet, or by the keys below it.
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

// The field as it is on the photo, large, and what was read there.
let isLooking = false;
function look() {
  const open = [...bench.grid.at.values()].filter(isOpen).length;
  byId("asked").textContent = open ? fill(words.say.asked, { count: open }) : words.say.noneAsked;
  bench.photo?.crop(bench.cursor, byId("asked-crop"));
  if (bench.photo && !isLooking) requestAnimationFrame(bench.toCursor);
  isLooking = Boolean(bench.photo);
  const likely = Object.entries(empty.digits).find(([name]) => bench.nameNow(name) === bench.cursor)?.[1];
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
  },
};
for (const key of document.querySelectorAll("[data-number]")) {
  key.addEventListener("click", () => enter(key.dataset.number));
}
const ACTS = { "step-back": stepBack, "next-row": nextRow };
document.addEventListener("click", (event) => {
  ACTS[event.target.closest("[data-act]")?.dataset.act]?.();
});
// The keypad's keys work wherever the focus is, as long as nobody is typing a text. A button keeps
// Enter and the space bar for itself; what else is typed there goes on at the sheet.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!["numbers", "check"].includes(bench.tool) || !byId("grid").checkVisibility()) return;
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
