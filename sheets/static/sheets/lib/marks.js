// What can lie on a field of a sheet, as the server tells it: by the word for all that lies there,
// what is `said` of it, whether the field is `crossed`, and what is `drawn` in which layer.
import { drawField } from "./art.js";

export const known = JSON.parse(document.getElementById("known-marks").textContent);

// Draw what the word stands for on the field of a button. A mark that does not look the same on every
// field has its drawing on the button.
export function drawMarks(button, word) {
  const layers = Object.entries(known[word].drawn).map(([layer, marks]) => [
    layer,
    marks.map((mark) => button.dataset[mark] ?? mark),
  ]);
  drawField(button.dataset.at, Object.fromEntries(layers));
}
