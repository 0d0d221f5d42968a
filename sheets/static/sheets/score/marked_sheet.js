// Drawing of the sheet that the user marks. `setMarkSource` connects it to the storage of the marks: the site
// (acts.js) or this device (offline_scoring/page.js).
import { drawMarks, markTypes } from "../lib/marks.js";
import { messageIn } from "../lib/live_region.js";
import { applyActs } from "./marks.js";
import { page } from "./page.js";

const byId = (id) => document.getElementById(id);
export const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
}

// add(acts)        stores acts
// known()          the confirmed marks, and the steps to undo and to redo, as in marks.js
// waiting()        unconfirmed acts
// stays(sentence)  whether a message stays visible
let keeper = { known: () => ({ marks: {} }), waiting: () => [], stays: () => false };
export const setMarkSource = (given) => (keeper = { ...keeper, ...given });

export const say = messageIn(byId("refusal"), { stays: (sentence) => keeper.stays(sentence) });
export const act = (...acts) => keeper.add(acts);

// Acts of an unfinished stroke: drawn, but not sent yet.
let sketched = [];
export function sketch(marks) {
  sketched = marks;
  draw();
}

const shown = () => applyActs(keeper.known(), [...keeper.waiting(), ...sketched]);
export const shownMarks = () => shown().marks;

let drawn = new Map();
// Set the marks that the server has drawn.
export const setDrawnMarks = (marks) => (drawn = new Map(Object.entries(marks)));

function drawValue(at, value) {
  const button = buttons.get(at);
  if (!button || button.dataset.kind === "printed") return;
  drawMarks(button, value);
  button.setAttribute("aria-label", `${button.dataset.label}, ${markTypes[value].said}`);
}

function drawLocks(marks) {
  const open = new Set();
  for (const button of document.querySelectorAll("[data-opens]")) {
    const value = marks[button.dataset.at] ?? button.dataset.printed ?? "";
    if (markTypes[value].crossed) open.add(button.dataset.opens);
  }
  for (const lock of document.querySelectorAll("[data-lock]")) {
    lock.toggleAttribute("data-open", open.has(lock.dataset.lock));
  }
}

const listeners = [];
// Call a listener after each drawing, with true if the server has just answered.
export const onDrawn = (listener) => listeners.push(listener);

export function draw(isAnswered = false) {
  const now = shown();
  for (const at of new Set([...drawn.keys(), ...Object.keys(now.marks)])) {
    const value = now.marks[at] ?? "";
    if ((drawn.get(at) ?? "") !== value) {
      drawValue(at, value);
      drawn.set(at, value);
    }
  }
  drawLocks(now.marks);
  for (const name of ["undo", "redo"]) {
    const button = document.querySelector(`#turn-back [value=${name}]`);
    button?.setAttribute("aria-disabled", String(!now[name].length));
  }
  for (const listener of listeners) listener(isAnswered);
}

export function drawTotal(value) {
  const total = byId("total");
  const text = String(value).replace("-", "−");
  if (!total || total.textContent.trim().replace(/\s+/g, " ") === `${page.dataset.total} ${text}`) return;
  total.querySelector(".for-ears").nextSibling.textContent = ` ${text}`;
}
