// A symbol of a palette, as a button.
import { bench } from "./bench.js";

export function swatch(symbol, label, isOn, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "swatch";
  if (isOn !== undefined) button.setAttribute("aria-pressed", String(isOn));
  button.setAttribute("aria-label", label);
  button.title = label;
  const drawing = bench.pen.picture(symbol);
  drawing.setAttribute("viewBox", "-7 -7 114 114");
  // A key is no name: it is drawn by the style sheet alone.
  if (key) {
    button.dataset.key = key;
    button.setAttribute("aria-keyshortcuts", key);
  }
  button.append(drawing);
  return button;
}
