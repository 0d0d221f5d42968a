// A sheet's fields by keyboard: the grid is one tab stop, arrows move, Escape leaves.
"use strict";

(() => {
  const element = document.querySelector(".sheet-grid");
  if (!element) return;
  const grid = [...element.querySelectorAll(".sheet-row")].map((row) =>
    [...row.children].map((cell) => cell.querySelector("button")),
  );
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  let current = grid.flat().find(Boolean);
  for (const button of grid.flat()) if (button) button.tabIndex = button === current ? 0 : -1;

  element.addEventListener("focusin", (event) => {
    current.tabIndex = -1;
    current = event.target;
    current.tabIndex = 0;
  });
  element.addEventListener("keydown", (event) => {
    let row = grid.findIndex((cells) => cells.includes(current));
    let column = grid[row].indexOf(current);
    if (event.key === "Escape") document.getElementById("sheet").focus();
    else if (event.key === "Home") grid[row].find(Boolean).focus();
    else if (event.key === "End") grid[row].findLast(Boolean).focus();
    else if (steps[event.key]) {
      const [down, right] = steps[event.key];
      do {
        row += down;
        column += right;
      } while (grid[row] && column in grid[row] && !grid[row][column]);
      grid[row]?.[column]?.focus();
    } else return;
    event.preventDefault();
  });
})();
