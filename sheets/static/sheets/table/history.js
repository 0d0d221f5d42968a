// Steps through a game: maps arrow keys to the links, which htmx follows in place.
import "../lib/htmx.js";
import { forgetLine } from "./lit_fields.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "pass-back", ArrowDown: "pass-on" };

document.addEventListener("htmx:afterSwap", forgetLine);
document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("summary, .scroll-x")) return;
  event.preventDefault();
  document.querySelector(`[data-step="${step}"][href]`)?.click();
});
