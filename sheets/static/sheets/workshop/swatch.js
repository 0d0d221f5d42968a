// Button of a palette with a symbol.
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
  // CSS draws the key, so that it does not become part of the button's name.
  if (key) {
    button.dataset.key = key;
    button.setAttribute("aria-keyshortcuts", key);
  }
  button.append(drawing);
  return button;
}
