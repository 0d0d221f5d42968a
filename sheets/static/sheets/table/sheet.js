// Optimistic updates of the player's sheet at a table: a tap shows at once and is queued for sending. The page shows
// the server's last state with the unconfirmed acts applied.
import { drawMarks, markTypes } from "../lib/marks.js";
import { isDoubleTap } from "../lib/double_taps.js";
import { flash } from "../lib/live_region.js";
import { onForms, say, tableOutbox } from "./acts.js";
import { latestState, showView, onState, page, pinView, query, refresh, applyState } from "./live.js";

const byId = (id) => document.getElementById(id);
const hints = JSON.parse(page.dataset.hints);
const tap = byId("tap");
const grid = tap.querySelector(".sheet-grid");
const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
  button.dataset.label ??= button.getAttribute("aria-label"); // the label without marks
}
let state = latestState();
let meanwhile = []; // fields tapped while an act is being sent
let then; // the state at those taps

// A device with several seats stays at the one it shows.
if (state.seat !== null && !query()) pinView(`?seat=${state.seat}`);

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

// A state stored by an earlier version has neither property, so its fields accept no tap.
const tapOn = (at) => (state.lying?.includes(at) ? "return" : state.tap);

// Return the act of a tap on a field, which the server defines, also for a second tap before its answer.
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
    const said = markTypes[marks[at] ?? button.dataset.printed]?.said;
    const says = [button.dataset.label, said, hints[state.owes ? hint.replace("strong", "owed") : hint]];
    const label = says.filter(Boolean).join(", ");
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    if (tapOn(at)) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }
  drawUnsent();
  drawLocks();
  page.classList.toggle("is-owed", state.owes);
  // Double-tap protection ignores taps meant for another phase or sheet.
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

// A queued act also has the mark that it leaves on its field (see `leaves`); the server does not need it.
const outbox = tableOutbox({
  toSend: ({ leaves, isSure, mark, ...sent }) => sent,
  taken(fresh, act, asked) {
    if (fresh.refusal) meanwhile = [];
    if (asked === query()) applyState(fresh);
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
// Undo refers to the last visible act, whose number may not be known yet: then name its request.
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

// The key N moves to the next field that takes a die or can be chosen. Single letters are shortcuts only with the
// focus in the sheet: elsewhere, speech input would trigger them by chance.
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
  if (at && !isDoubleTap(at)) tapped(at);
});

function tapped(at) {
  const what = meant(at);
  if (!what) return;
  if (what === "track") return chooseTrack(at);
  // While an act is being sent, the meaning of a tap on another field may change, so that tap waits. A repeated tap
  // on the same field is ignored.
  const onItsWay = outbox.acts().filter(isOnItsWay);
  if (state.again[what] || !onItsWay.length) {
    act({ url: page.dataset.actUrl, do: what, player: state.seat, at, moment: state.moment, leaves: leaves(what, at) });
  } else if (![...onItsWay.map((one) => one.at), ...meanwhile].includes(at)) {
    meanwhile.push(at);
    then = state;
    drawUnsent();
  }
}

// Perform waiting taps after the answer, unless the phase has changed or another player has acted.
function goOn() {
  if (!meanwhile.length || outbox.acts().some(isOnItsWay)) return;
  const at = meanwhile.shift();
  const isOvertaken = state.acts - then.acts > 1 && state.marks.length > 1;
  if (meansIn(then) !== meansIn(state) || isOvertaken) meanwhile = [];
  else tapped(at);
  then = state;
}

// Return the mark that an act leaves on its field, for optimistic drawing: "" for none, undefined if only the
// server knows.
function leaves(what, at) {
  if (what === "return") return "";
  const isSure = state.hints[at]?.startsWith("strong") || !outbox.isEmpty();
  return what === "place" && isSure && !shownMarks()[at] ? buttons.get(at).dataset.leaves : undefined;
}

function chooseTrack(at) {
  const search = new URLSearchParams(query());
  search.set("at", at);
  showView(`?${search}`);
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
