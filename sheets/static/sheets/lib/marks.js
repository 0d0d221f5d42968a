// What can lie on a field of a sheet, as the server tells it: by the word for all that lies there,
// what is `said` of it, whether the field is `crossed`, and what is `drawn` in which layer.
import { use } from "./art.js";

export const known = JSON.parse(document.getElementById("known-marks").textContent);

// Draw what the word stands for on the field of a button; what somebody has just put there looks
// fresh. A mark that does not look the same on every field has its drawing on the button.
export function drawMarks(button, word) {
  const field = document.querySelector(`[data-field="${button.dataset.at}"]`);
  for (const layer of ["under", "over", "top"]) {
    const marks = known[word].drawn[layer] ?? [];
    const drawings = marks.map((mark) => use(button.dataset[mark] ?? mark));
    field.querySelector(`.${layer}`).replaceChildren(...drawings);
  }
  field.classList.toggle("fresh", Boolean(word));
}
