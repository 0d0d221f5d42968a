// What the page shows is what the server last said, with the edits on top that it does not know of
// yet. Those wait on this device, each page's by itself: closing the browser loses nothing, and the
// next page sends what was left. An edit that two pages send counts once, by its id.
import { inTime } from "../lib/in_time.js";
import { ownQueue, postJson, whenBack } from "../lib/json_outbox.js";
import { newId } from "../lib/new_id.js";
import { makeOutbox } from "../lib/outbox.js";
import { sayIn } from "../lib/say.js";
import { deviceStore, tabStore } from "../lib/store.js";
import { applyActs, keyOf } from "./draft.js";
import { byId, page, words } from "./page.js";

const { key, actsUrl, stateUrl } = page.dataset;
const shortId = () => newId().slice(0, 12);

// Name of this device: an undo is refused if another one has gone on. It was a tab's name once.
const PAGE = "dizzle.workshop.page";
const pageId = deviceStore.readText(PAGE) ?? tabStore.readText(PAGE) ?? shortId();
deviceStore.writeText(PAGE, pageId);

// What is typed into one input without leaving it, or painted in one stroke, is one step to be
// taken back.
const TYPED = "textarea, input:not([type=checkbox], [type=radio], [type=file])";
let entry = "";
export const beginEntry = () => (entry = shortId());
export const endEntry = () => (entry = document.activeElement?.matches(TYPED) ? shortId() : "");
page.addEventListener("focusin", (event) => {
  if (event.target.matches(TYPED)) entry ||= shortId();
});
page.addEventListener("focusout", (event) => {
  if (event.target.matches(TYPED)) entry = "";
});

let state = JSON.parse(byId("state").textContent);
// Withdrawn or deleted, or the page has grown too old to be believed: nothing can be saved any more.
let isLost = false;
const listeners = [];
const changed = (isFromServer) => listeners.forEach((listener) => listener(isFromServer));

// On a phone what is said lies over the page: it goes by itself there, and a tap reaches through it.
const isNarrow = matchMedia("(max-width: 59.99rem)");
export const sayRefusal = sayIn(byId("refusal"), { stays: () => outbox.isHeld() });
// What was undone or redone, until the next edit.
export const sayTold = sayIn(byId("told"), { stays: () => !isNarrow.matches });

const outboxes = `dizzle.workshop.${key}.`;
const outboxName = outboxes + newId();
const saveOutbox = (acts) =>
  acts.length ? deviceStore.write(outboxName, acts) : deviceStore.forget(outboxName);
function adopted() {
  const left = deviceStore.names(outboxes);
  const acts = left.flatMap((name) => deviceStore.read(name, []));
  // Where there is no room to store them anew, they wait where they are.
  if (saveOutbox(acts)) for (const name of left) deviceStore.forget(name);
  return acts;
}
function lose() {
  isLost = true;
  outbox.stop();
}
const outbox = makeOutbox({
  queue: ownQueue(adopted(), saveOutbox),
  post: (acts) => postJson(actsUrl, { acts }),
  together: 50,
  taken(fresh) {
    if (fresh.revision >= state.revision) state = fresh;
    if (fresh.refusal) sayRefusal(fresh.refusal);
    if (fresh.told) sayTold(fresh.told);
  },
  broken: () => sayRefusal(words.say.broken),
  gone: lose,
  held: sayRefusal,
  changed,
});

export const known = () => state;
export const isSettled = () => outbox.isEmpty();
export const draft = () => applyActs(state.document, outbox.acts());
// What has been compared with the paper, each thing as it looked then.
export function compared() {
  const found = new Set(state.compared);
  for (const act of outbox.acts()) {
    if (act.do === "compare") found[act.on ? "add" : "delete"](act.thing);
    else if (act.do === "nothing") found.add(keyOf(act.fields));
  }
  return found;
}
export const onChange = (listener) => listeners.push(listener);

export function act(...acts) {
  if (acts.length) sayTold("");
  outbox.add(...acts.map((one) => ({ ...one, page: pageId, entry })));
}

// Other pages of the same level, here and elsewhere.
async function look() {
  if (document.hidden || !outbox.isEmpty() || isLost) return;
  try {
    const answer = await fetch(`${stateUrl}${state.revision}`, { signal: inTime() });
    if (answer.status === 200) {
      const fresh = await answer.json();
      if (fresh.revision > state.revision && outbox.isEmpty()) {
        state = fresh;
        changed(true);
      }
    } else if (answer.status === 404) {
      lose();
      changed(true);
    }
  } catch {
    // no network: the next look will tell
  }
}
setInterval(look, 7000);
whenBack(() => {
  outbox.wake();
  look();
});

const saving = byId("saving");
let slow;
function showSaving(sentence, isLate) {
  // That all is well is for eyes alone: it would be said after each pause.
  saving.setAttribute("aria-live", isLate ? "polite" : "off");
  saving.textContent = sentence;
  saving.toggleAttribute("data-late", isLate);
}
onChange(() => {
  clearTimeout(slow);
  const [isSaved, acts] = [outbox.isEmpty(), outbox.acts()];
  if (isLost) showSaving(isSaved ? words.say.lost : words.say.unsaved, true);
  else if (isSaved) showSaving(state.revision ? words.say.saved : "", false);
  else slow = setTimeout(() => showSaving(words.say.waiting, true), 400);
  saving.classList.toggle("waiting", !isSaved);
  byId("undo").setAttribute("aria-disabled", String(!state.hasUndo && isSaved));
  // A pending edit ends redo, a pending undo makes it possible.
  const isHistory = acts.every((one) => one.do === "undo" || one.do === "redo");
  const hasRedo = isHistory && (state.hasRedo || acts.some((one) => one.do === "undo"));
  byId("redo").setAttribute("aria-disabled", String(!hasRedo));
});

for (const what of ["undo", "redo"]) {
  byId(what).addEventListener("click", (event) => {
    if (event.currentTarget.getAttribute("aria-disabled") === "true") return;
    act({ do: what, seen: state.revision });
  });
}
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
  const undo = event.key === "z" && !event.shiftKey;
  const redo = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
  if (!undo && !redo) return;
  event.preventDefault();
  byId(undo ? "undo" : "redo").click();
});
