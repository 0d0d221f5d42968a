// Button of a palette with a symbol.
import { picture } from "./draw.js";
import { makeButton } from "./page.js";

export function swatch(symbol, label, onTap, isOn, key) {
  const drawing = picture(symbol);
  drawing.setAttribute("viewBox", "-7 -7 114 114");
  // CSS draws the key, so that it does not become part of the button's name.
  const keys = { "data-key": key, "aria-keyshortcuts": key };
  return makeButton({ class: "swatch", "aria-pressed": isOn, "aria-label": label, title: label, ...keys }, onTap, drawing);
}
