// What a tap on a scored sheet means: the next mark of a field, the pen for lava, a piece of rails, a
// step back.
import { deviceStore } from "../lib/store.js";
import { act, buttons, say, shownMarks } from "./acts.js";
import { page } from "./outbox.js";

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

const taps = JSON.parse(byId("taps").textContent);

tap?.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (!button) return;
  const { at, kind } = button.dataset;
  if ("rails" in page.dataset) openPieces(button);
  else {
    const before = shownMarks()[at] ?? "";
    const value = taps[kind][tap.elements.pen.value][before];
    if (value === before) say(page.dataset.noLava);
    else act({ do: "mark", at, value });
  }
});

byId("turn-back")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute("aria-disabled") !== "true") act({ do: event.submitter.value });
});

// Rails: the piece that joins most of its neighbours comes first, as `rank_shapes` has it on the
// server. tests/browser/test_score_twins.py holds the two together.
const pieces = byId("pieces");
export function rankShapes(marks, at) {
  const beyond = JSON.parse(buttons.get(at).dataset.beyond);
  const joined = Object.keys(beyond).filter((edge) => {
    const [other, opposite] = beyond[edge];
    return (marks[other] ?? buttons.get(other).dataset.track ?? "").includes(opposite);
  });
  const fit = (shape) => joined.filter((edge) => shape.includes(edge)).length;
  const leadsNowhere = (shape) => Number([...shape].some((edge) => !(edge in beyond)));
  const shapes = pieces.dataset.shapes.split(" ");
  return shapes.sort((a, b) => leadsNowhere(a) - leadsNowhere(b) || fit(b) - fit(a));
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
