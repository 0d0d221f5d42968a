// Highlighting of fields on a drawing, and its announcement to screen readers.
import { announce } from "../lib/live_region.js";

// Highlight the fields in an element that `lit` names, separated by blanks, and no others. If `missing` is given,
// its fields look missing.
export function highlight(element, lit, missing) {
  const [isLit, isMissing] = [new Set(lit.split(" ")), new Set(missing?.split(" "))];
  for (const field of element.querySelectorAll(".art-field, .board .die")) {
    const name = field.dataset.field ?? field.dataset.die;
    field.classList.toggle("lit", isLit.has(name));
    if (missing !== undefined) field.classList.toggle("missing", isMissing.has(name));
  }
}

// Announce the highlighted and missing fields of a line, and store the text as its description.
export function announceHighlight(item) {
  const [litWord, missingWord] = document.querySelector("[data-lit-words]")?.dataset.litWords.split("|") ?? [];
  const named = (names, word) => (names ? `${word ?? ""} ${names.split(" ").join(", ")}.` : "");
  const told = `${named(item.dataset.lit, litWord)} ${named(item.dataset.missing, missingWord)}`.trim();
  item.setAttribute("aria-description", told);
  announce(told);
}
