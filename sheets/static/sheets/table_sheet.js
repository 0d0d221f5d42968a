// My sheet at a table: a tap shows at once and is sent when the network lets it. What the page shows
// is always what the server last said with the acts on top that it does not know of yet.
import { drawMarks, known } from "./lib/marks.js";
import { sharedQueue } from "./lib/outbox.js";
import { flash } from "./lib/say.js";
import { tabStore } from "./lib/store.js";
import { onForms, say, tableOutbox } from "./table_acts.js";
import { latest, look, onState, page, pin, query, refresh, take } from "./table_live.js";

const byId = (id) => document.getElementById(id);
const hints = JSON.parse(page.dataset.hints);
const tap = byId("tap");
const buttons = new Map();
for (const button of document.querySelectorAll(".sheet-grid button")) {
  buttons.set(button.dataset.at, button);
}
let state = latest();

// A device with several seats stays at the one it shows, whoever is asked next.
if (state.seat !== null && !query()) pin(`?seat=${state.seat}`);

// Drawing ----------------------------------------------------------------------------------------

const drawn = new Map();
for (const [at, value] of Object.entries(state.marks[state.shown])) drawn.set(at, value);

// The die that lies on a field, or would, always has its number.
const hasDie = (button, marks) => Boolean(button.dataset.dieMark) && marks[button.dataset.at] === button.dataset.dieMark;

function shownMarks() {
  const marks = { ...state.marks[state.shown] };
  for (const act of outbox.acts()) {
    if (act.player !== state.shown || act.moment !== state.moment) continue;
    if (act.do === "place" && act.isSure) marks[act.at] = act.mark;
    if (act.do === "return") delete marks[act.at];
  }
  return marks;
}

function draw() {
  const marks = shownMarks();
  for (const at of new Set([...drawn.keys(), ...Object.keys(marks)])) {
    const value = marks[at] ?? "";
    if ((drawn.get(at) ?? "") === value) continue;
    drawMarks(buttons.get(at), value);
    drawn.set(at, value);
  }
  for (const [at, button] of buttons) {
    const hint = hasDie(button, marks) && state.taps === "place" ? "" : (state.hints[at] ?? "");
    if ((button.dataset.hint ?? "") !== hint) {
      if (hint) button.dataset.hint = hint;
      else delete button.dataset.hint;
    }
    const said = known[marks[at] ?? button.dataset.printed]?.said;
    const says = [button.dataset.label, said, hints[hint]];
    const label = says.filter(Boolean).join(", ");
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    if (state.taps) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }
  drawLocks();
  page.classList.toggle("is-owed", !["", "place"].includes(state.taps));
  document.title = `${state.title} · ${page.dataset.called}`;
}

function drawLocks() {
  for (const lock of document.querySelectorAll("[data-lock]")) {
    lock.toggleAttribute("data-open", state.opened[state.shown].includes(lock.dataset.lock));
  }
}

// Acts -------------------------------------------------------------------------------------------

// An act that waits also says how it looks here: `mark`, if `isSure` that it will hold.
const outbox = tableOutbox({
  queue: sharedQueue(tabStore, `dizzle.table.${page.dataset.code}`),
  toSend: ({ isSure, mark, ...sent }) => sent,
  taken(fresh, act, asked) {
    if (asked === query()) take(fresh);
    else refresh(true); // another sheet is shown by now
    if (fresh.refusal) refuse(fresh.refusal);
  },
  changed: draw,
});

function act(what) {
  say("");
  outbox.add(what);
}
onForms(act);

function refuse({ sentence, url, at }) {
  say(sentence, url);
  const field = document.querySelector(`[data-field="${at}"]`);
  if (field) flash(field, "refused", 900);
}

const NERVOUS_MS = 300; // where a second tap takes a die back, one within this was none
let lastTap = { at: "", when: 0 };
function isNervous(at) {
  const when = performance.now();
  const isAgain = at === lastTap.at && when - lastTap.when < NERVOUS_MS;
  lastTap = { at, when };
  return isAgain;
}

tap.addEventListener("submit", (event) => {
  event.preventDefault();
  const at = event.submitter?.dataset.at;
  if (!at || !state.taps || (state.open && isNervous(at))) return;
  if (state.taps === "track") {
    chooseTrack(at);
    return;
  }
  // In a turn one act follows from the other: a second tap of a nervous thumb means nothing.
  if (!state.open && outbox.acts().some((act) => act.moment === state.moment)) return;
  const marks = shownMarks();
  const button = buttons.get(at);
  const isBack = state.open && hasDie(button, marks);
  // Whether a tap after one that is still on its way will hold, only the server knows.
  const isSure = state.taps === "place" && button.dataset.dieMark && !marks[at] && (state.hints[at] === "strong" || !outbox.isEmpty());
  act({
    url: page.dataset.actUrl,
    do: isBack ? "return" : state.taps,
    player: state.seat,
    at,
    moment: state.moment,
    isSure: Boolean(isSure),
    mark: button.dataset.dieMark,
  });
});

function chooseTrack(at) {
  const search = new URLSearchParams(query());
  search.set("at", at);
  look(`?${search}`);
}

onState((fresh, before) => {
  if (fresh.shown !== before.shown) say("");
  if (before.seat !== null && fresh.seat === null) say(page.dataset.freed);
  state = fresh;
  draw();
  outbox.send();
});

draw();
outbox.send();
