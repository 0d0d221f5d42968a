// What a tap on a scored sheet means: the next mark of a field, the pen for lava, a piece of rails, a
// step back.
import { isNervous } from "../lib/presses.js";
import { deviceStore } from "../lib/store.js";
import { act, buttons, say, shownMarks } from "./drawn.js";
import { page } from "./place.js";

const byId = (id) => document.getElementById(id);
const tap = byId("tap");

// The pen stays in the hand from sheet to sheet, as long as this device knows the document.
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

// What a tap with the pen in the hand makes of a field that has a mark, or none.
export function valueOf(button, before) {
  const taps = JSON.parse(byId("taps").textContent); // where one sheet may be solo, they change
  return taps[button.dataset.kind][tap.elements.pen.value][before];
}

tap?.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (!button || isNervous(button.dataset.at)) return;
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

// What is printed stays as it is, and a tap on it says so.
document.querySelector(".sheet-grid").addEventListener("click", (event) => {
  if (tap && event.target.dataset.kind === "printed") say(page.dataset.printed);
});

// A doubt that has one clear answer.
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

// Rails: the piece that joins most of its neighbours comes first, as `rank_shapes` has it on the
// server. tests/browser/test_score_twins.py holds the two together.
const pieces = byId("pieces");
// By the edges of a field at which the sheet goes on: the field beyond, and which of its edges it is.
export const beyondOf = (at) => JSON.parse(buttons.get(at).dataset.beyond);
// The piece with these two edges, in either order.
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
// The one piece that can be meant, as `only_shape` has it, or "". `wanted` are edges it has to have
// besides.
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
