// Keyboard navigation in a grid of buttons (ARIA grid pattern): one tab stop, arrow keys move within.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export const isArrow = (key) => key in STEPS;

// Return the button that a key moves to: Home and End to the ends of the row (with Ctrl: of the grid), Page Up and
// Page Down to the ends of the column. Arrows skip holes. `rows` are lists of buttons, null for a hole. Returns
// undefined for other keys, and null if there is no button.
export function buttonForKey(rows, from, key, withCtrl = false) {
  if (withCtrl && key === "Home") return rows.flat().find(Boolean);
  if (withCtrl && key === "End") return rows.flat().findLast(Boolean);
  let row = rows.findIndex((cells) => cells.includes(from));
  let column = rows[row].indexOf(from);
  if (key === "Home") return rows[row].find(Boolean);
  if (key === "End") return rows[row].findLast(Boolean);
  if (key === "PageUp") return rows.find((cells) => cells[column])[column];
  if (key === "PageDown") return rows.findLast((cells) => cells[column])[column];
  if (!isArrow(key)) return undefined;
  const [down, right] = STEPS[key];
  const [fromRow, fromColumn] = [row, column];
  do {
    row += down;
    column += right;
  } while (rows[row] && column in rows[row] && !rows[row][column]);
  return rows[row]?.[column] ?? (down ? nearest(rows, fromRow, fromColumn, down) : null);
}

// Fallback if the column has no further button: the nearest button of the next row that has any.
function nearest(rows, row, column, down) {
  const beyond = down > 0 ? rows.slice(row + 1) : rows.slice(0, row).reverse();
  const cells = beyond.find((some) => some.some(Boolean));
  const far = (cell) => Math.abs(cells.indexOf(cell) - column);
  return cells?.filter(Boolean).reduce((a, b) => (far(b) < far(a) ? b : a)) ?? null;
}

// Enable these keys in an element; Escape calls `leave`. Returns `current()`, the tab stop, and
// `moveTo(button)`, which moves the tab stop but not the focus.
export function enableGridKeys(element, rows, leave) {
  const buttons = rows.flat().filter(Boolean);
  let current = buttons[0];
  for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
  function moveTo(button) {
    current.tabIndex = -1;
    current = button;
    current.tabIndex = 0;
  }
  element.addEventListener("focusin", (event) => buttons.includes(event.target) && moveTo(event.target));
  element.addEventListener("keydown", (event) => {
    const button = buttonForKey(rows, current, event.key, event.ctrlKey);
    if (event.key === "Escape") leave();
    else if (button === undefined) return;
    else button?.focus();
    event.preventDefault();
  });
  return { current: () => current, moveTo };
}
