// What is typed into boxes: read, refused beside the box it is about, and never hidden from there.
import { sayRefusal } from "./acts.js";
import { bench } from "./bench.js";
import { page, words } from "./page.js";

// A number that somebody types is sent when it is one, and said when it is none.
export function readNumber(text) {
  const plain = text.trim().replace("−", "-");
  return /^-?\d{1,2}$/.test(plain) ? Number(plain) : null;
}
export function readNumbers(text) {
  const found = text.trim().split(/[\s.,;·/]+/).filter(Boolean).map(readNumber);
  return found.length && found.length <= 40 && !found.includes(null) ? found : null;
}

// What was refused stays to be mended, until the box is asked about something else.
const isRefused = (input) => input.getAttribute("aria-invalid") === "true";
export function write(input, value) {
  if (input && document.activeElement !== input && !isRefused(input)) input.value = value ?? "";
}

const notes = new WeakMap();
let count = 0;
function forgive(input) {
  if (!isRefused(input)) return;
  input.removeAttribute("aria-invalid");
  input.removeAttribute("aria-describedby");
  notes.get(input)?.remove();
}
export function complain(input, isFine, sentence = words.say.badNumbers) {
  forgive(input);
  if (isFine) return;
  const note = document.createElement("p");
  note.className = "wrong";
  note.id = `wrong-${++count}`;
  note.setAttribute("role", "alert");
  const label = input.getAttribute("aria-label");
  note.textContent = label ? `${label}: ${sentence}` : sentence;
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", note.id);
  const row = input.closest("tr");
  if (row) {
    const below = row.cloneNode(false);
    const cell = below.insertCell();
    cell.colSpan = row.cells.length;
    cell.append(note);
    row.after(below);
    notes.set(input, below);
  } else {
    input.closest(".rating-row, .stepper, .point-row, .field").after(note);
    notes.set(input, note);
  }
}
// Whoever goes on to something else is told that what they typed last was not taken.
export function leave(input) {
  if (isRefused(input)) {
    // Elsewhere on the page it has to say which box that was.
    const title = input.getAttribute("aria-label") ? "" : input.labels[0]?.textContent.trim();
    sayRefusal([title, notes.get(input).textContent].filter(Boolean).join(": "));
  }
  forgive(input);
}
// Of a number that is too long its first digits have been taken for one.
export const isTooLong = (text) => /\d{3}/.test(text);
bench.forgiveAll = () => page.querySelectorAll("[aria-invalid=true]").forEach(leave);

// The first digit typed into a box that is filled replaces what stands there; a second tap sets
// the caret.
const BOXES = ".amount input, .stepper input, .counts input, .rating-row input, [data-symbol]";
let entered = null;
page.addEventListener("focusin", (event) => {
  entered = event.target.matches(BOXES) ? event.target : null;
  entered?.select();
});
// Before the box's own listener, which may refuse what is typed now.
page.addEventListener("input", (event) => {
  forgive(event.target);
  entered = null;
}, true);
page.addEventListener("click", (event) => {
  if (event.target === entered) entered.select();
  entered = null;
});

// Keys on the page for what pays: a phone's own keyboard would cover the sheet that is being tapped.
const isTouch = matchMedia("(pointer: coarse)");

for (const pad of document.querySelectorAll(".pad")) {
  const input = pad.parentElement.querySelector("input");
  const usual = input.inputMode;
  const choose = () => (input.inputMode = isTouch.matches ? "none" : usual);
  isTouch.addEventListener("change", choose);
  choose();
  // The input keeps the focus: what is typed stays one thing to take back.
  pad.addEventListener("pointerdown", (event) => event.preventDefault());
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("[data-pad]")?.dataset.pad;
    if (!key) return;
    if (document.activeElement !== input) {
      // What stands there was only proposed.
      input.focus({ preventScroll: true });
      input.select();
    }
    if (key === "back") takeBack(input);
    else {
      const [start, end] = [input.selectionStart, input.selectionEnd];
      if (input.value.length - (end - start) + key.length > input.maxLength) return;
      input.setRangeText(key, start, end, "end");
    }
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// The last digit goes, with the blanks behind it: also of what is marked only to be typed over.
function takeBack(input) {
  const isAll = input.selectionEnd - input.selectionStart === input.value.length;
  const isMarked = !isAll && input.selectionStart !== input.selectionEnd;
  const end = input.selectionEnd;
  const kept = isMarked ? input.selectionStart : input.value.slice(0, end).replace(/\S\s*$/, "").length;
  input.setRangeText("", kept, end, "end");
}
