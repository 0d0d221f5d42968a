// Sheet on the workbench: drawing, grid of buttons, keyboard, and choice of tools.
import { buttonForKey } from "../lib/grid.js";
import { deviceStore, tabStore } from "../lib/store.js";
import { act, draft, known, onChange, sayRefusal } from "./acts.js";
import { columnOf, gridOf, isHole, isOpen, letter, nameOf, rowOf } from "./draft.js";
import { describe, fields as drawFields, furniture as drawFurniture, layOut, payingLines } from "./draw.js";
import { byId, countPoints, empty, fill, isWide, make, makeButton, page, words } from "./page.js";
import { toDraft } from "./views.js";

const gridElement = byId("grid");
const drawing = byId("drawing");
const frame = byId("draft-frame");
const draftElement = byId("draft");

export const bench = {
  // The current stroke of a finger or mouse, see paint.js.
  stroke: null,
  tool: "",
  cursor: "a1",
  lit: [],
  draft: draft(),
  grid: null,
  layout: null,
  // The drawing lies over the photo of the empty sheet, which shows the same content.
  isOverEmpty: false,
  // Handlers by tool: taps, keys, CSS classes of fields.
  tools: {},
  // What a button does, by the first word of its `data-act`; further words are arguments.
  acts: {},
};
bench.grid = gridOf(bench.draft);

const handler = (bench.handler = () => bench.tools[bench.tool] ?? {});
const SPACE = 0.04; // margin of the drawing, in fields

// Return the current name of a field of the empty sheet's photo, after rows or columns were inserted.
bench.currentName = (name) => {
  const [columns, rows] = known().moved;
  return nameOf(columnOf(name) + columns, rowOf(name) + rows);
};
export const square = (name = bench.cursor) => bench.grid.at.get(name);
export const put = (name, what) => act({ do: "squares", put: { [name]: what } });
// Like `put`; a symbol turns a hole into a field.
export const putOn = (name, what) => put(name, isHole(square(name)) ? { number: words.signs.open, ...what } : what);

// Draw in the next animation frame, so that quick typing does not draw a large sheet for each key.
let frameAsked = 0;
bench.draw = () => {
  bench.draft = draft();
  bench.grid = gridOf(bench.draft);
  if (!bench.grid.at.has(bench.cursor)) bench.cursor = "a1";
  if (!frameAsked) frameAsked = requestAnimationFrame(paint);
};

// Width of the buttons at the ends of rows, in fields (wider for small fields, so that a finger hits them), and
// minimum width of a field with wide ends, in pixels.
const [END, WIDE_END, MIN_PX] = [0.6, 0.9, 26.7];
// Maximum width of a field on narrow and on wide screens, and the borders of the frame, in pixels.
const [MAX_PX, MAX_WIDE_PX, FRAME_PX] = [64, 96, 5];
function narrowFieldPx(inside) {
  const { width } = layOut(bench.draft, bench.grid, END);
  const px = Math.floor((inside / (width + WIDE_END)) * 10) / 10;
  return (width + END) * 40 > inside && px >= MIN_PX ? px : 0;
}

let painted = new Map();
function paint() {
  frameAsked = 0;
  const hasArrows = (bench.draft.lines ?? []).some((line) => !line.fields);
  const inside = frame.clientWidth - parseFloat(getComputedStyle(frame).paddingLeft);
  const tight = bench.tool === "lines" ? narrowFieldPx(inside) : 0;
  const room = tight ? WIDE_END : bench.tool === "lines" ? END : hasArrows ? 0.5 : SPACE;
  const layout = (bench.layout = layOut(bench.draft, bench.grid, room));
  const width = layout.width + room;
  const height = layout.height + room;
  const lit = new Set(bench.lit);
  const marks = handler().marks?.() ?? new Map();
  const fields = drawFields(bench.draft, bench.grid, layout, (name) => {
    const classes = [marks.get(name) ?? "", lit.has(name) ? "lit" : "", name === bench.cursor && handler().hasCursor ? "cursor" : ""];
    return classes.filter(Boolean).map((one) => ` ${one}`).join("");
  }, bench.isOverEmpty);
  const furniture = drawFurniture(bench.draft, bench.grid, layout) + (handler().offers?.(layout) ?? "");
  if (fields.size !== painted.size || [...fields.keys()].some((name) => !painted.has(name))) {
    drawing.innerHTML = `<g>${[...fields.values()].join("")}</g><g>${furniture}</g>`;
  } else {
    for (const [name, html] of fields) {
      if (painted.get(name) !== html) drawing.querySelector(`[data-field="${name}"]`).outerHTML = html;
    }
    if (paint.furniture !== furniture) drawing.lastChild.innerHTML = furniture;
  }
  painted = fields;
  draftElement.dataset.drawn = "";
  paint.furniture = furniture;
  drawing.setAttribute("viewBox", `-4 -4 ${width * 100 + 8} ${height * 100 + 8}`);
  // On wide screens the whole sheet fits its frame, unless its fields would be too small.
  const roomPx = parseFloat(getComputedStyle(frame).maxHeight) - letters.offsetHeight - FRAME_PX;
  const fit = isWide.matches ? Math.min(MAX_WIDE_PX, roomPx / height) : MAX_PX;
  // A tool without taps on fields may set any height.
  const small = handler().sheetHeight?.() / height;
  // Fields are a little smaller if the whole row then fits; the tool may set the minimum.
  const least = handler().tightest?.() ?? (tight || (width * 34 <= inside ? 34 : 40));
  draftElement.classList.toggle("painting", handler().isPainting?.() ?? false);
  for (const { style } of [draftElement, letters]) {
    style.minWidth = small ? "" : `${Math.round(width * least)}px`;
    style.maxWidth = `${Math.round(width * (small || Math.max(42, fit)))}px`;
  }
  // On wide screens the column is as wide as the sheet (bench.css).
  page.style.setProperty("--sheet", draftElement.style.maxWidth);
  const sheet = { width, height };
  drawGrid(layout, sheet);
  drawEdges(layout, sheet);
  drawNames(layout, sheet);
  bench.underlay?.(width, height);
  handler().painted?.(width, height);
}

// Lay an element over the drawing of a sheet; all in fields.
const share = (at, all) => `${((at + 0.04) / (all + 0.08)) * 100}%`;
function place({ style }, sheet, x, y, width, height) {
  style.left = share(x, sheet.width);
  style.top = share(y, sheet.height);
  style.width = `${(width / (sheet.width + 0.08)) * 100}%`;
  style.height = `${(height / (sheet.height + 0.08)) * 100}%`;
}
function set(button, name, value) {
  if (value === undefined) button.removeAttribute(name);
  else if (button.getAttribute(name) !== String(value)) button.setAttribute(name, value);
}

// Grid of buttons, rebuilt only if its shape changes.
let shape = "";
const buttons = new Map();
const rows = []; // the buttons by row and column
function drawGrid(layout, sheet) {
  const now = JSON.stringify([bench.grid.columns, bench.grid.rows.length]);
  if (now !== shape) {
    shape = now;
    const hadFocus = gridElement.contains(document.activeElement);
    buttons.clear();
    gridElement.replaceChildren(
      ...bench.grid.rows.map((squares, row) => {
        rows[row] = squares.map((_, column) => makeButton({ "data-at": nameOf(column, row), tabindex: -1 }));
        for (const button of rows[row]) buttons.set(button.dataset.at, button);
        return make("div", { role: "row" }, ...rows[row].map((button) => make("div", { role: "gridcell" }, button)));
      }),
    );
    rows.length = bench.grid.rows.length;
    if (hadFocus) buttons.get(bench.cursor)?.focus();
  }
  const places = JSON.stringify([bench.draft.shifts, sheet, now]);
  const isMoved = places !== drawGrid.places;
  drawGrid.places = places;
  for (const [name, button] of buttons) {
    const row = rowOf(name);
    if (isMoved) place(button.parentElement, sheet, layout.x(columnOf(name), row), row, 1, 1);
    set(button, "aria-label", `${name}, ${describe(bench.grid.at.get(name), bench.draft.tracks?.[name])}`);
    set(button, "tabindex", name === bench.cursor ? 0 : -1);
    set(button, "aria-pressed", handler().isChosen?.(name));
  }
}

// Draw the names of rows and columns at the edges. Columns follow the first row.
const letters = byId("letters");
const digits = byId("row-names");
function drawNames(layout, sheet) {
  const now = JSON.stringify([bench.draft.shifts, sheet, shape]);
  if (now === drawNames.drawn) return;
  drawNames.drawn = now;
  const put = (holder, count, text, side, at) =>
    holder.replaceChildren(...Array.from({ length: count }, (_, i) => {
      const span = make("span", {}, text(i));
      span.style[side] = at(i);
      return span;
    }));
  put(letters, bench.grid.columns, letter, "left", (i) => share(layout.x(i, 0) + 0.5, sheet.width));
  put(digits, bench.grid.rows.length, (i) => i + 1, "top", (i) => share(i + 0.5, sheet.height));
}

// Draw the buttons for arrows at the ends of rows and columns.
const edges = byId("edges");
function drawEdges(layout, sheet) {
  const isOn = bench.tool === "lines" && Boolean(bench.tools.lines);
  // Scroll to the ends of rows, which may be out of sight.
  if (isOn && edges.hidden && !bench.lit.length) frame.scrollLeft = frame.scrollWidth;
  edges.hidden = !isOn;
  if (!isOn) return;
  const keys = [
    ...bench.grid.rows.map((_, row) => ({ row: row + 1 })),
    ...Array.from({ length: bench.grid.columns }, (_, column) => ({ column: letter(column) })),
  ];
  const paying = payingLines(bench.draft);
  while (edges.children.length > keys.length) edges.lastChild.remove();
  keys.forEach((key, i) => {
    if (!edges.children[i]) edges.append(makeButton({}));
    const button = edges.children[i];
    button.dataset.edge = key.row ? `row ${key.row}` : `column ${key.column}`;
    const points = paying.get(key.row ?? key.column);
    const title = fill(key.row ? words.say.row : words.say.column, { which: key.row ?? key.column });
    button.setAttribute("aria-label", `${title}${words.say.colon} ${points === undefined ? words.say.noArrow : countPoints(points)}`);
    button.textContent = points === undefined ? "+" : "";
    button.classList.toggle("chosen", handler().isEdgeChosen?.(button.dataset.edge) ?? false);
    // Narrow but as long as a field: next to eight fields of 44 px, a common phone has no more room.
    const size = layout.room;
    const foot = key.column && layout.foot(columnOf(key.column));
    const x = key.row ? layout.width : foot.x - 0.17;
    const y = key.row ? key.row - 1 + 0.03 : foot.y;
    place(button, sheet, x, y, key.row ? size : 0.94, key.row ? 0.94 : size);
  });
}
edges.addEventListener("click", (event) => {
  const button = event.target.closest("[data-edge]");
  if (button) bench.tools.lines?.tapEdge(button.dataset.edge);
});

bench.moveTo = (name, { focus = false } = {}) => {
  if (!bench.grid.at.has(name)) return;
  bench.cursor = name;
  bench.draw();
  handler().moved?.();
  if (focus) buttons.get(name)?.focus({ preventScroll: true });
  requestAnimationFrame(bench.toCursor);
};
// Scroll to the cursor and the row below, no further than needed to clear the panel, because its keys would move.
bench.toCursor = () => bench.toField(bench.cursor);
bench.toField = (name) => {
  const button = buttons.get(name);
  if (!button) return;
  const isLast = bench.after(name, bench.grid.columns) === name;
  const below = isLast ? 0 : button.offsetHeight;
  uncover(button, gridElement, below);
};
// Scroll to the end of a row or column.
bench.toEdge = (name) => {
  const button = edges.querySelector(`[data-edge="${name}"]`);
  if (button) uncover(button, edges);
};
function uncover(button, among, below = 0) {
  among.style.setProperty("--covered", `${byId("panels").offsetHeight + below}px`);
  button.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Return the square `by` places further in reading order, holes included.
bench.after = (name, by = 1) => {
  const at = rowOf(name) * bench.grid.columns + columnOf(name) + by;
  if (at < 0 || at >= bench.grid.columns * bench.grid.rows.length) return name;
  return nameOf(at % bench.grid.columns, Math.floor(at / bench.grid.columns));
};

// Return the next open field after one, continuing at the first; undefined without one.
bench.nextOpen = (name) => {
  const names = [...bench.grid.at.keys()];
  const from = names.indexOf(name) + 1;
  return [...names.slice(from), ...names.slice(0, from)].find((one) => isOpen(bench.grid.at.get(one)));
};

gridElement.addEventListener("click", (event) => {
  const name = event.target.closest("[data-at]")?.dataset.at;
  // The click at the end of a stroke is no tap. One by keyboard has no detail.
  if (!name || (event.detail && bench.stroke?.isDrawn)) return;
  bench.cursor = name;
  handler().tap?.(name);
  bench.draw();
  handler().moved?.();
});
gridElement.addEventListener("focusin", (event) => {
  const name = event.target.dataset.at;
  if (name && name !== bench.cursor) bench.moveTo(name);
});
gridElement.addEventListener("keydown", (event) => {
  const isFar = event.ctrlKey && ["Home", "End"].includes(event.key);
  if ((event.ctrlKey && !isFar) || event.metaKey || event.altKey) return;
  // Page Up and Page Down switch tools (keyboard.js).
  const button = event.key.startsWith("Page") ? undefined : buttonForKey(rows, event.target, event.key, isFar);
  if (event.shiftKey && handler().shiftKey?.(event.key)) {
    // the tool has used it
  } else if (button) bench.moveTo(button.dataset.at, { focus: true });
  else if (event.key === "Escape") bench.toPanel();
  else if (button === undefined && !handler().key?.(event.key)) return;
  event.preventDefault();
});
// Focus the first input of the panel, or the checked one of radio buttons.
bench.toPanel = () => {
  const controls = document.querySelectorAll(".panel:not([hidden]) :is(button, input, select, textarea, summary)");
  const first = [...controls].find((one) => one.offsetParent !== null && (one.type !== "radio" || one.checked));
  first?.focus();
  first?.select?.();
};
bench.focus = () => buttons.get(bench.cursor)?.focus({ preventScroll: true });

// Tools -----------------------------------------------------------------------------------------

bench.choose = (tool) => {
  const isNew = tool !== bench.tool;
  if (isNew) handler().left?.();
  bench.clearComplaints?.();
  bench.tool = tool;
  for (const button of document.querySelectorAll("[data-tool]")) {
    button.setAttribute("aria-pressed", button.dataset.tool === tool);
    button.tabIndex = button.dataset.tool === tool ? 0 : -1;
    // Not when its script has come, because the bar would move under a finger that chooses another tool.
    if (isNew && button.dataset.tool === tool) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const panels = [...document.querySelectorAll("[data-panel]")];
  // Hide the panel of a tool that is not loaded yet.
  const shown = tool in bench.tools ? tool : "";
  if (!page.dataset.step) for (const panel of panels) panel.hidden = panel.dataset.panel !== shown;
  page.classList.toggle("with-form", handler().isForm ?? !panels.length);
  bench.draw();
  page.dataset.drawn = "";
  handler().moved?.();
};
page.addEventListener("click", ({ target }) => {
  const [name, ...rest] = target.closest("[data-act]")?.dataset.act.split(" ") ?? [];
  bench.acts[name]?.(...rest);
});
document.querySelector(".tools")?.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-tool]")?.dataset.tool;
  if (!tool) return;
  toDraft();
  bench.choose(tool);
  deviceStore.write("dizzle.workshop.tool", { key: page.dataset.key, tool });
});

onChange(() => {
  bench.draw();
  handler().moved?.();
  const name = bench.draft.name ?? {};
  const title = byId("level-name");
  const [[source]] = words.languages;
  const texts = typeof name === "string" ? [name] : [name[document.documentElement.lang], name[source], ...Object.values(name)];
  if (title) title.textContent = texts.find((text) => text) ?? "";
});
addEventListener("resize", bench.draw);
// After all tools are registered.
document.addEventListener("DOMContentLoaded", () => {
  const first = document.querySelector("[data-panel]")?.dataset.panel ?? "";
  // A new draft begins with the numbers.
  const left = deviceStore.read("dizzle.workshop.tool", {});
  const last = known().revision && left.key === page.dataset.key ? left.tool : "numbers";
  // Continue at the first open field.
  if (page.dataset.step === "numbers") bench.cursor = bench.nextOpen("") ?? "a1";
  bench.choose(page.dataset.step ? first : document.querySelector(`[data-tool="${last}"]`) ? last : first);
  act();
});

// The script of the photo is loaded later: only with a photo that was chosen now, stored in this tab, or is of the empty
// sheet.
const input = byId("photo");
if (input) {
  const { photo, key } = page.dataset;
  const again = () => input.dispatchEvent(new Event("change"));
  input.addEventListener("change", () => import(photo).then(again, () => sayRefusal(words.say.badPhoto)), { once: true });
  if (empty || tabStore.readText(`dizzle.workshop.photo.${key}`)) import(photo).catch(() => {});
}
