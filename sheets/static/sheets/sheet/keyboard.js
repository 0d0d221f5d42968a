// Keyboard navigation on a sheet or board: arrows move, Escape leaves.
import { isArrow, enableGridKeys } from "../lib/grid.js";

const frame = document.getElementById("sheet");
const sheet = document.querySelector(".sheet-grid");
const rows = [...sheet.querySelectorAll(".sheet-row")].map((row) =>
  [...row.children].map((cell) => cell.querySelector("button")),
);
const walk = enableGridKeys(sheet, rows, () => frame.focus());

// Move the tab stop of a board to the field that each state names, unless the focus is on the board.
function enter() {
  const first = sheet.querySelector(`[data-at="${sheet.dataset.enter}"]`);
  if (first && !sheet.contains(document.activeElement)) walk.moveTo(first);
}
if ("enter" in sheet.dataset) {
  enter();
  new MutationObserver(enter).observe(sheet, { attributeFilter: ["data-enter"] });
  // Without another focus, an arrow key enters the board.
  document.addEventListener("keydown", (event) => {
    const isIdle = [document.body, document.getElementById("main"), frame].includes(document.activeElement);
    if (!isArrow(event.key) || !isIdle || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    walk.current().focus();
    event.preventDefault();
  });
}
