// Taps on a `.sheet-grid` to be scored: the next mark of a field, the lava pen, track pieces, undo and redo.
import { isDoubleTap } from "../lib/double_taps.js";
import { deviceStore } from "../lib/store.js";
import { act, buttons, say, shownMarks } from "./marked_sheet.js";
import { page } from "./page.js";

const byId = (id) => document.getElementById(id);
const tap = byId("tap");

// The pen stays selected on all sheets of the scoring, as long as the device stores the choice.
const pen = byId("pen");
const penName = `dizzle.pen.${page.dataset.key}`;
function takePen(isLava) {
  pen.setAttribute("aria-pressed", String(isLava));
  tap.elements.pen.value = isLava ? "lava" : "cross";
}
if (pen && deviceStore.read(penName) === "lava") takePen(true);
pen?.addEventListener("click", (event) => {
  event.preventDefault();
  takePen(pen.getAttribute("aria-pressed") !== "true");
  if (tap.elements.pen.value === "lava") deviceStore.write(penName, "lava");
  else deviceStore.forget(penName);
});
pen?.addEventListener("keydown", (event) => {
  if (event.key === " ") {
    event.preventDefault();
    pen.click();
  }
});

// Return the mark that a tap with the current pen puts on a field with the mark `before`, "" for none.
export function valueOf(button, before) {
  const taps = JSON.parse(byId("taps").textContent); // not cached, because solo scoring changes it
  return taps[button.dataset.kind][tap.elements.pen.value][before];
}

tap?.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (!button || isDoubleTap(button.dataset.at)) return;
  const { at } = button.dataset;
  const marks = shownMarks();
  const before = marks[at] ?? "";
  if ("rails" in page.dataset) {
    const value = before ? "" : onlyShape(marks, at);
    if (value) act({ do: "mark", at, value });
    else openPieces(button);
  } else {
    const value = valueOf(button, before);
    if (value === before) say(page.dataset.noLava);
    else act({ do: "mark", at, value });
  }
});

// A tap on a printed mark shows that it cannot change.
document.querySelector(".sheet-grid").addEventListener("click", (event) => {
  if (tap && event.target.dataset.kind === "printed") say(page.dataset.printed);
});

// Accept the only possible answer to a doubt.
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".settle")) return;
  event.preventDefault();
  for (const mark of new FormData(event.target).getAll("mark")) {
    const [at, value] = mark.split("=");
    act({ do: "mark", number: Number(event.target.dataset.number), at, value });
  }
});

byId("turn-back")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute("aria-disabled") !== "true") act({ do: event.submitter.value });
});

// Track pieces, ranked by the number of neighbours that they join, as `rank_shapes` on the server.
const pieces = byId("pieces");
// Map each inner edge of a field to the field beyond and the opposite edge.
export const beyondOf = (at) => JSON.parse(buttons.get(at).dataset.beyond);
// Return the piece with these two edges, in either order.
export const shapeOf = (edges) =>
  pieces.dataset.shapes.split(" ").find((shape) => [...shape].sort().join() === [...edges].sort().join());
function around(marks, at) {
  const beyond = beyondOf(at);
  const joined = Object.keys(beyond).filter((edge) => {
    const [other, opposite] = beyond[edge];
    return (marks[other] ?? buttons.get(other).dataset.track ?? "").includes(opposite);
  });
  const leadsNowhere = (shape) => Number([...shape].some((edge) => !(edge in beyond)));
  return { joined, leadsNowhere, shapes: pieces.dataset.shapes.split(" ") };
}
export function rankShapes(marks, at) {
  const { joined, leadsNowhere, shapes } = around(marks, at);
  const fit = (shape) => joined.filter((edge) => shape.includes(edge)).length;
  return shapes.sort((a, b) => leadsNowhere(a) - leadsNowhere(b) || fit(b) - fit(a));
}
// Return the only possible piece, or "", as `only_shape` on the server. `wanted` are further required edges.
export function onlyShape(marks, at, wanted = []) {
  const { joined, leadsNowhere, shapes } = around(marks, at);
  const ends = [...joined, ...wanted];
  const fitting = shapes.filter((shape) => !leadsNowhere(shape) && ends.every((edge) => shape.includes(edge)));
  return fitting.length === 1 ? fitting[0] : "";
}
function openPieces({ dataset: { at } }) {
  const row = pieces.querySelector(".piece-row");
  const sorted = rankShapes(shownMarks(), at).map((shape) => row.querySelector(`[value=${shape}]`));
  row.append(...sorted);
  pieces.querySelector("[name=at]").value = at;
  byId("pieces-at").textContent = at;
  pieces.removeAttribute("open");
  pieces.showModal();
  sorted[0].focus();
}
pieces?.addEventListener("submit", (event) => {
  event.preventDefault();
  const at = event.target.elements.at.value;
  pieces.close();
  act({ do: "mark", at, value: event.submitter.value });
  buttons.get(at)?.focus();
});
byId("pieces-close")?.addEventListener("click", (event) => {
  event.preventDefault();
  pieces.close();
});
pieces?.addEventListener("click", (event) => event.target === pieces && pieces.close());
