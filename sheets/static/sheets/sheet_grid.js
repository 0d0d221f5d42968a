// The grid of a sheet by keyboard, and the lines of the score column that light up its fields.
"use strict";

(() => {
  const frame = document.getElementById("sheet");
  const sheet = document.querySelector(".sheet-grid");
  if (!sheet) return;

  // Keyboard: one tab stop, arrows move, Escape leaves.
  const grid = [...sheet.querySelectorAll(".sheet-row")].map((row) =>
    [...row.children].map((cell) => cell.querySelector("button")),
  );
  let current = grid.flat().find(Boolean);
  for (const button of grid.flat().filter(Boolean)) button.tabIndex = button === current ? 0 : -1;
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  // With nothing straight above or below: the nearest field of the next row that has one.
  function nearest(row, column, down) {
    const cells = (down > 0 ? grid.slice(row + 1) : grid.slice(0, row).reverse()).find((some) => some.some(Boolean));
    const far = (cell) => Math.abs(cells.indexOf(cell) - column);
    return cells?.filter(Boolean).reduce((a, b) => (far(b) < far(a) ? b : a));
  }
  const moveTo = (button) => {
    current.tabIndex = -1;
    current = button;
    current.tabIndex = 0;
  };
  sheet.addEventListener("focusin", (event) => moveTo(event.target));
  // A board says where to enter it, anew with each move, but to nobody who is on it already.
  function enter() {
    const first = sheet.querySelector(`[data-at="${sheet.dataset.enter}"]`);
    if (first && !sheet.contains(document.activeElement)) moveTo(first);
  }
  if ("enter" in sheet.dataset) {
    enter();
    new MutationObserver(enter).observe(sheet, { attributeFilter: ["data-enter"] });
    // Where nothing has the focus, an arrow leads there, too.
    document.addEventListener("keydown", (event) => {
      const isIdle = [document.body, document.getElementById("main"), frame].includes(document.activeElement);
      if (!steps[event.key] || !isIdle || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      current.focus();
      event.preventDefault();
    });
  }
  sheet.addEventListener("keydown", (event) => {
    let row = grid.findIndex((cells) => cells.includes(current));
    let column = grid[row].indexOf(current);
    if (event.key === "Escape") frame.focus();
    else if (event.key === "Home") grid[row].find(Boolean).focus();
    else if (event.key === "End") grid[row].findLast(Boolean).focus();
    else if (steps[event.key]) {
      const [down, right] = steps[event.key];
      const [fromRow, fromColumn] = [row, column];
      do {
        row += down;
        column += right;
      } while (grid[row] && column in grid[row] && !grid[row][column]);
      (grid[row]?.[column] ?? (down && nearest(fromRow, fromColumn, down)))?.focus();
    } else return;
    event.preventDefault();
  });

  // The score column lights up its fields ---------------------------------------------------------

  let chosen = null;
  function light(item) {
    for (const field of document.querySelectorAll(".art-field, .board .die")) {
      const name = field.dataset.field ?? field.dataset.die;
      field.classList.toggle("lit", Boolean(item) && item.dataset.lit.split(" ").includes(name));
      field.classList.toggle("missing", Boolean(item) && item.dataset.missing.split(" ").includes(name));
    }
  }
  const itemOf = (event) => event.target.closest?.(".item-light");
  // After a change the column is drawn anew.
  document.addEventListener("scored", () => {
    const items = [...document.querySelectorAll(".item-light")];
    chosen = items.find((item) => item.dataset.key === chosen?.dataset.key) ?? null;
    chosen?.classList.add("is-on");
    light(itemOf({ target: document.activeElement }) ?? chosen);
  });
  document.addEventListener("mouseover", (event) => light(itemOf(event) ?? chosen));
  document.addEventListener("focusin", (event) => light(itemOf(event) ?? chosen));
  document.addEventListener("click", (event) => {
    const item = itemOf(event);
    if (!item) return;
    event.preventDefault();
    chosen = chosen?.dataset.key === item.dataset.key ? null : item;
    for (const other of document.querySelectorAll(".item-light")) {
      other.classList.toggle("is-on", other === chosen);
    }
    light(chosen);
    if (chosen) frame.scrollIntoView({ block: "nearest" });
  });
})();
