// A sheet that somebody marks: what is drawn on it. Who keeps the marks, the site (acts.js) or this device
// (here/page.js), says with `drawFrom` what they are and where acts go.
import { drawMarks, known as marksKnown } from "../lib/marks.js";
import { sayIn } from "../lib/say.js";
import { after } from "./marks.js";
import { page } from "./place.js";

const byId = (id) => document.getElementById(id);
export const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
}

// add(acts)        takes acts
// known()          the marks, and the steps to undo and to redo, as in marks.js
// waiting()        acts on top of them
// stays(sentence)  whether what is said stays
let keeper = { known: () => ({ marks: {} }), waiting: () => [], stays: () => false };
export const drawFrom = (given) => (keeper = { ...keeper, ...given });

export const say = sayIn(byId("refusal"), { stays: (sentence) => keeper.stays(sentence) });
export const act = (...acts) => keeper.add(acts);

// What is only sketched: marks that are shown and, as a stroke is still drawn, not yet to be sent.
let sketched = [];
export function sketch(marks) {
  sketched = marks;
  draw();
}

const shown = () => after(keeper.known(), [...keeper.waiting(), ...sketched]);
export const shownMarks = () => shown().marks;

let drawn = new Map();
// What is drawn already, by the server.
export const isDrawn = (marks) => (drawn = new Map(Object.entries(marks)));

function drawValue(at, value) {
  const button = buttons.get(at);
  if (!button || button.dataset.kind === "printed") return;
  drawMarks(button, value);
  button.setAttribute("aria-label", `${button.dataset.label}, ${marksKnown[value].said}`);
}

function drawLocks(marks) {
  const open = new Set();
  for (const button of document.querySelectorAll("[data-opens]")) {
    const value = marks[button.dataset.at] ?? button.dataset.printed ?? "";
    if (marksKnown[value].crossed) open.add(button.dataset.opens);
  }
  for (const lock of document.querySelectorAll("[data-lock]")) {
    lock.toggleAttribute("data-open", open.has(lock.dataset.lock));
  }
}

const listeners = [];
// Call this after each drawing; with true, if the server has just answered.
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
