// Tool for numbers, by the keyboard or by the keys below the sheet.
import { act } from "./acts.js";
import { bench, put, square } from "./bench.js";
import { isOpen, rowOf } from "./draft.js";
import { describe } from "./draw.js";
import { byId, empty, fill, words } from "./page.js";

const { tools } = bench;
const { hole, none, open } = words.signs;
// Values by key: numbers, and the signs for no number and hole.
export const NUMBERS = { ...Object.fromEntries([...words.numbers, none, hole].map((sign) => [sign, sign])), 0: none };
const KEYS = { ...NUMBERS, [open]: open, ",": hole, " ": hole };
// First field of the row after a row's last number; Enter there moves no further.
let arrived = "";
const enter = (number) => {
  const at = bench.cursor;
  if (empty && [none, hole].includes(number)) [said, saidOf] = [number, at];
  put(at, { number });
  // On a sheet read from a photo, continue at the next open field.
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
  // The cursor stays on the last field after it was entered.
  const isLast = bench.after(bench.cursor) === bench.cursor;
  if (!isLast || isOpen(square())) bench.cursor = bench.after(bench.cursor, -1);
  clear();
  follow();
};

// Last answer "no number" or "hole", and its field. The user can apply it to all open fields that look alike on the
// photo; the offer shows that field, because the cursor has moved on.
let [said, saidOf] = ["", ""];
const readOn = (name) => Object.entries(empty.digits).find(([one]) => bench.currentName(one) === name)?.[1];
function alike() {
  if (!square(saidOf) || isOpen(square(saidOf))) return []; // undone
  const group = empty.groups.map((names) => names.map(bench.currentName)).find((names) => names.includes(saidOf)) ?? [];
  return group.filter((one) => square(one) && isOpen(square(one)) && !readOn(one));
}
function enterAlike() {
  act({ do: "squares", put: Object.fromEntries(alike().map((name) => [name, { number: said }])) });
  bench.cursor = bench.nextOpen(bench.cursor) ?? bench.cursor;
  if (document.activeElement === byId("asked-alike")) bench.focus(); // the button disappears
  tools.numbers.moved();
  follow();
}

// Show the field on the photo, enlarged, and highlight the number read there.
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
    byId("cursor-name").textContent = `${bench.cursor}${words.say.colon} ${describe(square())}`;
    if (byId("asked")) look();
    // Next to the link to the next step: the number of open fields.
    const open = countOpen();
    if (byId("still-open")) byId("still-open").textContent = open ? fill(words.say.stillOpen, { count: open }) : "";
  },
};
for (const key of document.querySelectorAll("[data-number]")) {
  key.addEventListener("click", () => enter(key.dataset.number));
}
Object.assign(bench.acts, { "step-back": stepBack, "next-row": nextRow, "enter-alike": enterAlike });
// The keypad's keys work with any focus except in text inputs. A focused button keeps Enter and Space; other keys
// also move the focus to the sheet.
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
// Keys of the keypad take no focus, because Enter would then press them again.
for (const keypad of document.querySelectorAll(".keypad, .fixes")) {
  keypad.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (!byId("grid").contains(document.activeElement)) document.activeElement.blur();
  });
}
