// Stepping through a game by keyboard: the arrows are its links, which htmx follows in place.
import "./lit_lines.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "pass-back", ArrowDown: "pass-on" };

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("summary, .scroll-x")) return;
  event.preventDefault();
  document.querySelector(`[data-step="${step}"][href]`)?.click();
});
