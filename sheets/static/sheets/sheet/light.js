// Lights up fields of a drawing, and says which.
import { hear } from "../lib/say.js";

// Those in an element that `lit` names, with blanks between, and no others; where `missing` is given,
// those that it names look missing.
export function light(element, lit, missing) {
  const [isLit, isMissing] = [new Set(lit.split(" ")), new Set(missing?.split(" "))];
  for (const field of element.querySelectorAll(".art-field, .board .die")) {
    const name = field.dataset.field ?? field.dataset.die;
    field.classList.toggle("lit", isLit.has(name));
    if (missing !== undefined) field.classList.toggle("missing", isMissing.has(name));
  }
}

// The fields of a line in words, with those it still waits for; they are heard, and stay with the line.
export function tellLit(item) {
  const [litWord, missingWord] = document.querySelector("[data-lit-words]")?.dataset.litWords.split("|") ?? [];
  const named = (names, word) => (names ? `${word ?? ""} ${names.split(" ").join(", ")}.` : "");
  const told = `${named(item.dataset.lit, litWord)} ${named(item.dataset.missing, missingWord)}`.trim();
  item.setAttribute("aria-description", told);
  hear(told);
}
