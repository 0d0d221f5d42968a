// My sheet at a table: a tap shows at once and is sent when the network lets it. What the page shows
// is always what the server last said with the acts on top that it does not know of yet.
import { drawMarks, known as marksKnown } from "../lib/marks.js";
import { isNervous } from "../lib/presses.js";
import { flash } from "../lib/say.js";
import { onForms, say, tableOutbox } from "./acts.js";
import { latest, look, onState, page, pin, query, refresh, take } from "./live.js";

const byId = (id) => document.getElementById(id);
const hints = JSON.parse(page.dataset.hints);
const tap = byId("tap");
const grid = tap.querySelector(".sheet-grid");
const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
  button.dataset.label ??= button.getAttribute("aria-label"); // as long as nothing else is said of it
}
let state = latest();
let meanwhile = []; // fields that were tapped while an act is on its way
let then; // and the state in which they were

// A device with several seats stays at the one it shows, whoever is asked next.
if (state.seat !== null && !query()) pin(`?seat=${state.seat}`);

// Drawing ----------------------------------------------------------------------------------------

const drawn = new Map();
for (const [at, value] of Object.entries(state.marks[state.shown])) drawn.set(at, value);

function shownMarks() {
  const marks = { ...state.marks[state.shown] };
  for (const act of outbox.acts()) {
    if (act.player !== state.shown || act.moment !== state.moment) continue;
    const left = leftBy(act);
    if (left) marks[act.at] = left;
    else if (left === "") delete marks[act.at];
  }
  return marks;
}

// An earlier version wrote `isSure` and `mark` into acts, which may still wait.
function leftBy(act) {
  if (act.leaves !== undefined) return act.leaves;
  if (act.do === "return") return "";
  return act.isSure ? act.mark : undefined;
}

const isOnItsWay = (act) => act.moment === state.moment && act.player === state.seat;

// A state that an earlier version stored has neither, so its fields take no tap.
const tapOn = (at) => (state.lying?.includes(at) ? "return" : state.tap);

// What a tap on a field means is the server's word, also for a second tap before it has answered.
function meant(at) {
  const waiting = outbox.acts().filter((act) => isOnItsWay(act) && act.at === at && leftBy(act) !== undefined);
  return state.again[waiting.pop()?.do] || tapOn(at);
}

function draw() {
  const marks = shownMarks();
  const known = state.marks[state.shown];
  for (const at of new Set([...drawn.keys(), ...Object.keys(marks)])) {
    const value = marks[at] ?? "";
    if ((drawn.get(at) ?? "") === value) continue;
    drawMarks(buttons.get(at), value);
    drawn.set(at, value);
  }
  for (const [at, button] of buttons) {
    const hint = marks[at] && marks[at] !== known[at] ? "" : (state.hints[at] ?? "");
    if ((button.dataset.hint ?? "") !== hint) {
      if (hint) button.dataset.hint = hint;
      else delete button.dataset.hint;
    }
    const said = marksKnown[marks[at] ?? button.dataset.printed]?.said;
    const says = [button.dataset.label, said, hints[state.owes ? hint.replace("strong", "owed") : hint]];
    const label = says.filter(Boolean).join(", ");
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    if (tapOn(at)) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }
  drawUnsent();
  drawLocks();
  page.classList.toggle("is-owed", state.owes);
  // A tap that was meant for another phase or sheet is none in this one; an act in a turn ends neither.
  grid.dataset.means = meansIn(state);
  document.title = `${state.title} · ${page.dataset.called}`;
}

const meansIn = ({ shown, turn }) => `${shown} ${turn}`;

function drawUnsent() {
  const waiting = new Set([...outbox.acts().filter(isOnItsWay).map((act) => act.at), ...meanwhile]);
  for (const field of document.querySelectorAll("#sheet [data-field]")) {
    field.toggleAttribute("data-unsent", waiting.has(field.dataset.field));
  }
}

function drawLocks() {
  for (const lock of document.querySelectorAll("[data-lock]")) {
    lock.toggleAttribute("data-open", state.opened[state.shown].includes(lock.dataset.lock));
  }
}

// Acts -------------------------------------------------------------------------------------------

// An act that waits also says how its field looks here (see `leaves`).
const outbox = tableOutbox({
  toSend: ({ leaves, isSure, mark, ...sent }) => sent,
  taken(fresh, act, asked) {
    if (fresh.refusal) meanwhile = [];
    if (asked === query()) take(fresh);
    else refresh(true); // another sheet is shown by now
    if (fresh.refusal) refuse(fresh.refusal);
  },
  changed() {
    goOn();
    draw();
  },
});

function act(what) {
  say("");
  outbox.add(what);
}
// What is taken back is the last thing to be seen, whose number may not be known here yet.
onForms(act, outbox, ({ entry, ...what }) => {
  const last = entry && outbox.acts().filter((one) => isOnItsWay(one) && one.at).pop();
  if (last) return { ...what, of: last.request };
  return entry ? { ...what, entry } : what;
});

function refuse({ sentence, url, at }) {
  say(sentence, url);
  const field = document.querySelector(`[data-field="${at}"]`);
  if (field) flash(field, "refused", 900);
}

// From field to field that takes a die or can be chosen. A single letter is a shortcut only while the
// focus is in the sheet: elsewhere, speech input would press it by chance.
byId("sheet").addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = [...buttons.values()];
  const from = all.indexOf(document.activeElement) + 1;
  const inOrder = [...all.slice(from), ...all.slice(0, from)];
  if (event.shiftKey) inOrder.reverse().push(inOrder.shift());
  inOrder.find((button) => button.dataset.hint?.startsWith("strong"))?.focus();
});

tap.addEventListener("submit", (event) => {
  event.preventDefault();
  const at = event.submitter?.dataset.at;
  if (at && !isNervous(at)) tapped(at);
});

function tapped(at) {
  const what = meant(at);
  if (!what) return;
  if (what === "track") return chooseTrack(at);
  // Where one act follows from the other it is not known yet what a tap on another field will do. On
  // the same one it is a nervous thumb's.
  const onItsWay = outbox.acts().filter(isOnItsWay);
  if (state.again[what] || !onItsWay.length) {
    act({ url: page.dataset.actUrl, do: what, player: state.seat, at, moment: state.moment, leaves: leaves(what, at) });
  } else if (![...onItsWay.map((one) => one.at), ...meanwhile].includes(at)) {
    meanwhile.push(at);
    then = state;
    drawUnsent();
  }
}

// Once that is known it is done, unless the game has come to another phase or somebody else has acted.
function goOn() {
  if (!meanwhile.length || outbox.acts().some(isOnItsWay)) return;
  const at = meanwhile.shift();
  const isOvertaken = state.acts - then.acts > 1 && state.marks.length > 1;
  if (meansIn(then) !== meansIn(state) || isOvertaken) meanwhile = [];
  else tapped(at);
  then = state;
}

// What lies on the field after an act, to be shown at once: "" for nothing, undefined for what only
// the server knows, such as whether a tap after one that is still on its way will hold.
function leaves(what, at) {
  if (what === "return") return "";
  const isSure = state.hints[at]?.startsWith("strong") || !outbox.isEmpty();
  return what === "place" && isSure && !shownMarks()[at] ? buttons.get(at).dataset.leaves : undefined;
}

function chooseTrack(at) {
  const search = new URLSearchParams(query());
  search.set("at", at);
  look(`?${search}`);
}

onState((fresh, before) => {
  if (fresh.shown !== before.shown) say("");
  if (before.seat !== null && fresh.seat === null) say(page.dataset.freed);
  state = fresh;
  goOn();
  draw();
  outbox.send();
});

draw();
outbox.send();
