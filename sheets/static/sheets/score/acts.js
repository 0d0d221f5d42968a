// A sheet that is scored: a tap shows its mark at once and is sent when the network lets it. The page
// shows what the server last said with the acts on top that it does not know of yet.
import { drawMarks, known as marksKnown } from "../lib/marks.js";
import { inTime, whenBack } from "../lib/outbox.js";
import { sayIn } from "../lib/say.js";
import { swap } from "../lib/swap.js";
import { after } from "./marks.js";
import { number, outboxName, page, scoreOutbox } from "./outbox.js";

const byId = (id) => document.getElementById(id);
export const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
}

let known = {
  revision: Number(page.dataset.revision),
  marks: JSON.parse(byId("marks").textContent),
  ...JSON.parse(byId("history").textContent),
};

// Sending ----------------------------------------------------------------------------------------

let held = ""; // why the server can store nothing just now, in its words
// What cannot be stored yet is said until it is.
export const say = sayIn(byId("refusal"), { stays: (sentence) => sentence === held });

const outbox = scoreOutbox({
  taken(state) {
    if (state.refusal) say(state.refusal);
    if (state.marks) take(state);
    draw(true);
  },
  broken() {
    say(page.dataset.broken);
    draw(true);
  },
  gone() {
    outbox.drop();
    say(page.dataset.lost);
    draw(true);
  },
  held(sentence) {
    held = sentence;
    say(held);
  },
  changed: () => draw(),
});

export const act = (...acts) => outbox.add(...acts.map((one) => ({ number, ...one })));

// What is only sketched: marks that are shown and, as a stroke is still drawn, not yet to be sent.
let sketched = [];
export function sketch(marks) {
  sketched = marks;
  draw();
}

const shown = () => after(known, [...outbox.acts().filter((one) => one.number === number), ...sketched]);
export const shownMarks = () => shown().marks;

// Whether an answer to a question, on whatever sheet, is still on its way.
export const isAnswered = (sheet, at) =>
  outbox.acts().some((one) => one.number === sheet && one.at === at && one.value !== "");

// Drawing ----------------------------------------------------------------------------------------

const drawn = new Map(Object.entries(known.marks));

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

function draw(isAnswered = false) {
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
  drawSaving();
  for (const listener of listeners) listener(isAnswered);
}

let slow;
function drawSaving() {
  const saving = byId("saving");
  if (!saving) return;
  // A word that comes and goes with every tap on a quick network would only flicker.
  clearTimeout(slow);
  if (outbox.isEmpty()) saving.textContent = "";
  else slow = setTimeout(() => (saving.textContent = outbox.isEmpty() ? "" : page.dataset.waiting), 400);
}

function drawTotal(value) {
  const total = byId("total");
  const text = String(value).replace("-", "−");
  if (!total || total.textContent.trim().replace(/\s+/g, " ") === `${page.dataset.total} ${text}`) return;
  total.querySelector(".for-ears").nextSibling.textContent = ` ${text}`;
}

// What the server says ---------------------------------------------------------------------------

function take(state) {
  if (state.revision < known.revision) return; // an older answer that was overtaken
  if (state.revision > known.revision || !known.score) {
    swap("_score", state.score);
    swap("_tabs", state.tabs);
    swap("_ask", state.ask);
    swap("_next", state.next);
    if (!state.has_photo) document.querySelector(".kept-photo")?.remove();
    document.dispatchEvent(new Event("scored"));
    drawTotal(state.total);
  }
  known = state;
}

// Other devices.
async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`${page.dataset.stateUrl}?revision=${known.revision}`, { signal: inTime() });
    if (answer.status === 200) {
      take(await answer.json());
      draw();
    } else if (answer.status === 404) say(page.dataset.lost);
  } catch {
    // no network: the next look will tell
  }
}
setInterval(look, 7000);
whenBack(() => {
  outbox.wake();
  look();
});
addEventListener("storage", (event) => event.key === outboxName && draw());

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
draw();
outbox.send();
