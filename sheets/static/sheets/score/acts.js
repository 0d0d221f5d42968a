// Optimistic updates of a scored sheet: a tap shows its mark at once and is queued for sending. The page shows the
// server's last state with the unconfirmed acts applied.
import { pollState } from "../lib/outbox.js";
import { swap } from "../lib/swap.js";
import { draw, setMarkSource, drawTotal, setDrawnMarks, onDrawn, say } from "./marked_sheet.js";
import { scoreOutbox } from "./outbox.js";
import { number, page } from "./page.js";

const byId = (id) => document.getElementById(id);

let known = {
  revision: Number(page.dataset.revision),
  marks: JSON.parse(byId("marks").textContent),
  ...JSON.parse(byId("history").textContent),
};
setDrawnMarks(known.marks);

// Sending ----------------------------------------------------------------------------------------

let held = ""; // the server's reason why it can store nothing at the moment

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

setMarkSource({
  known: () => known,
  waiting: () => outbox.acts().filter((one) => one.number === number),
  add: (acts) => outbox.add(...acts.map((one) => ({ number, ...one }))),
  // The storage fault stays visible until it is over.
  stays: (sentence) => sentence === held,
});

// Return whether the answer to a question on any of the sheets is still being sent.
export const isAnswered = (sheet, at) =>
  outbox.acts().some((one) => one.number === sheet && one.at === at && one.value !== "");

let slow;
function drawSaving() {
  const saving = byId("saving");
  if (!saving) return;
  // Delay the notice: on a quick network it would flicker with each tap.
  clearTimeout(slow);
  if (outbox.isEmpty()) saving.textContent = "";
  else slow = setTimeout(() => (saving.textContent = outbox.isEmpty() ? "" : page.dataset.waiting), 400);
}
onDrawn(drawSaving);

// Server state -----------------------------------------------------------------------------------

function take(state) {
  if (state.revision < known.revision) return; // outdated answer
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

function takeAndDraw(state) {
  take(state);
  draw();
}
const stateAddress = () => `${page.dataset.stateUrl}?revision=${known.revision}`;
pollState(outbox, stateAddress, takeAndDraw, () => say(page.dataset.lost));

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
draw();
outbox.send();
