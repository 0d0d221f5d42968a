// Number inputs: parsing, error notes below the input, and an on-screen keypad.
import { sayRefusal } from "./acts.js";
import { bench } from "./bench.js";
import { make, page, words } from "./page.js";

// Parse a number of up to two digits; null if the text is none.
export function readNumber(text) {
  const plain = text.trim().replace("−", "-");
  return /^-?\d{1,2}$/.test(plain) ? Number(plain) : null;
}
export function readNumbers(text) {
  const found = text.trim().split(/[\s.,;·/]+/).filter(Boolean).map(readNumber);
  return found.length && found.length <= 40 && !found.includes(null) ? found : null;
}

// Set an input's value, unless the user is editing it or has to correct it.
const isRefused = (input) => input.getAttribute("aria-invalid") === "true";
export function write(input, value) {
  if (input && document.activeElement !== input && !isRefused(input)) input.value = value ?? "";
}

const notes = new WeakMap();
let count = 0;
function clearComplaint(input) {
  if (!isRefused(input)) return;
  input.removeAttribute("aria-invalid");
  input.removeAttribute("aria-describedby");
  notes.get(input)?.remove();
}
export function complain(input, isFine, sentence = words.say.badNumbers) {
  clearComplaint(input);
  if (isFine) return;
  const label = input.getAttribute("aria-label");
  const note = make("p", { class: "alert bad slim wrong", id: `wrong-${++count}`, role: "alert" }, label ? `${label}${words.say.colon} ${sentence}` : sentence);
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
// Store what the user types while it is valid. After an invalid value restore the one before, because its first
// digits are stored. `read(text)` returns undefined if the text is invalid, `now()` the stored value.
export function storeTyped(input, { read, now, put, sentence }) {
  let was;
  input.addEventListener("focus", () => (was = now()));
  input.addEventListener("input", () => {
    const value = read(input.value);
    if (value !== undefined) put(value);
  });
  input.addEventListener("change", () => {
    const isFine = read(input.value) !== undefined;
    if (!isFine && JSON.stringify(now()) !== JSON.stringify(was)) put(was);
    complain(input, isFine, sentence);
  });
  // Show the value as it is stored.
  input.addEventListener("blur", () => bench.handler().moved());
}
// Before an input is used for something else, show that its invalid value was not stored.
export function reportInvalid(input) {
  if (isRefused(input)) {
    // Name the input, because the message appears elsewhere on the page.
    const title = input.getAttribute("aria-label") ? "" : input.labels[0]?.textContent.trim();
    sayRefusal([title, notes.get(input).textContent].filter(Boolean).join(`${words.say.colon} `));
  }
  clearComplaint(input);
}
// Return whether a number is too long; then its first digits were already stored.
export const isTooLong = (text) => /\d{3}/.test(text);
bench.clearComplaints = () => page.querySelectorAll("[aria-invalid=true]").forEach(reportInvalid);

// Select the content on focus, so that the first digit replaces it; a second tap sets the caret.
const BOXES = ".amount input, .stepper input, .counts input, .rating-row input, [data-symbol]";
let entered = null;
page.addEventListener("focusin", (event) => {
  entered = event.target.matches(BOXES) ? event.target : null;
  entered?.select();
});
// In the capture phase, before the input's own listener, which may refuse the new value.
page.addEventListener("input", (event) => {
  clearComplaint(event.target);
  entered = null;
}, true);
page.addEventListener("click", (event) => {
  if (event.target === entered) entered.select();
  entered = null;
});

// On-screen keypad for points, because a phone's keyboard would cover the sheet.
const isTouch = matchMedia("(pointer: coarse)");

for (const pad of document.querySelectorAll(".pad")) {
  const input = pad.parentElement.querySelector("input");
  const usual = input.inputMode;
  const choose = () => (input.inputMode = isTouch.matches ? "none" : usual);
  isTouch.addEventListener("change", choose);
  choose();
  // Keep the focus in the input, so that the typing stays one undo step.
  pad.addEventListener("pointerdown", (event) => event.preventDefault());
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("[data-pad]")?.dataset.pad;
    if (!key) return;
    if (document.activeElement !== input) {
      // The current value is only a proposal.
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

// Delete the last digit and the blanks after it, also if everything is selected.
function takeBack(input) {
  const isAll = input.selectionEnd - input.selectionStart === input.value.length;
  const isMarked = !isAll && input.selectionStart !== input.selectionEnd;
  const end = input.selectionEnd;
  const kept = isMarked ? input.selectionStart : input.value.slice(0, end).replace(/\S\s*$/, "").length;
  input.setRangeText("", kept, end, "end");
}
