// The grid of a sheet or board by keyboard: arrows move, Escape leaves.
import { isArrow, walkByKeys } from "../lib/grid.js";

const frame = document.getElementById("sheet");
const sheet = document.querySelector(".sheet-grid");
const rows = [...sheet.querySelectorAll(".sheet-row")].map((row) =>
  [...row.children].map((cell) => cell.querySelector("button")),
);
const walk = walkByKeys(sheet, rows, () => frame.focus());

// A board says where to enter it, anew with each move, but to nobody who is on it already.
function enter() {
  const first = sheet.querySelector(`[data-at="${sheet.dataset.enter}"]`);
  if (first && !sheet.contains(document.activeElement)) walk.moveTo(first);
}
if ("enter" in sheet.dataset) {
  enter();
  new MutationObserver(enter).observe(sheet, { attributeFilter: ["data-enter"] });
  // Where nothing has the focus, an arrow leads there, too.
  document.addEventListener("keydown", (event) => {
    const isIdle = [document.body, document.getElementById("main"), frame].includes(document.activeElement);
    if (!isArrow(event.key) || !isIdle || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    walk.current().focus();
    event.preventDefault();
  });
}
