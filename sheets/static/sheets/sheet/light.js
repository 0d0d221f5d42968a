// Lights up fields of a drawing.

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
