// A sheet that is scored: a tap shows its mark at once and is sent when the network lets it. The page
// shows what the server last said with the acts on top that it does not know of yet.
import { inTime } from "../lib/in_time.js";
import { whenBack } from "../lib/json_outbox.js";
import { swap } from "../lib/swap.js";
import { draw, drawFrom, drawTotal, isDrawn, onDrawn, say } from "./drawn.js";
import { outboxName, scoreOutbox } from "./outbox.js";
import { number, page } from "./place.js";

const byId = (id) => document.getElementById(id);

let known = {
  revision: Number(page.dataset.revision),
  marks: JSON.parse(byId("marks").textContent),
  ...JSON.parse(byId("history").textContent),
};
isDrawn(known.marks);

// Sending ----------------------------------------------------------------------------------------

let held = ""; // why the server can store nothing just now, in its words

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

drawFrom({
  known: () => known,
  waiting: () => outbox.acts().filter((one) => one.number === number),
  add: (acts) => outbox.add(...acts.map((one) => ({ number, ...one }))),
  // What cannot be stored yet is said until it is.
  stays: (sentence) => sentence === held,
});

// Whether an answer to a question, on whatever sheet, is still on its way.
export const isAnswered = (sheet, at) =>
  outbox.acts().some((one) => one.number === sheet && one.at === at && one.value !== "");

let slow;
function drawSaving() {
  const saving = byId("saving");
  if (!saving) return;
  // A word that comes and goes with every tap on a quick network would only flicker.
  clearTimeout(slow);
  if (outbox.isEmpty()) saving.textContent = "";
  else slow = setTimeout(() => (saving.textContent = outbox.isEmpty() ? "" : page.dataset.waiting), 400);
}
onDrawn(drawSaving);

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
    // Whatever the worker wrote above a page from memory is true no more.
    if (answer.ok) document.querySelector(".from-memory")?.remove();
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
