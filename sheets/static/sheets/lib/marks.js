// Drawings of the marks on a field. The server sends all types of marks by name: `said`, the text for screen
// readers; `crossed`, whether the field counts as crossed; `drawn`, the drawings by layer.
import { use } from "./art.js";

export const markTypes = JSON.parse(document.getElementById("known-marks").textContent);

// Draw the mark `word` on the field of a button and highlight it as new. If a mark's drawing depends on the
// field, the button's dataset names the drawing.
export function drawMarks(button, word) {
  const field = document.querySelector(`[data-field="${button.dataset.at}"]`);
  for (const layer of ["under", "over", "top"]) {
    const marks = markTypes[word].drawn[layer] ?? [];
    const drawings = marks.map((mark) => use(button.dataset[mark] ?? mark));
    field.querySelector(`.${layer}`).replaceChildren(...drawings);
  }
  field.classList.toggle("fresh", Boolean(word));
}
