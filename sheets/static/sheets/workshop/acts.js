// Optimistic edits of a draft: the page shows the server's last state with the unconfirmed edits applied.
import { makeOutbox, pollState, postJson } from "../lib/outbox.js";
import { messageIn } from "../lib/live_region.js";
import { deviceStore, newId } from "../lib/store.js";
import { applyActs, keyOf } from "./draft.js";
import { byId, page, words } from "./page.js";

const { key, actsUrl, stateUrl } = page.dataset;
const shortId = () => newId(6);

// Id of this device: the server refuses an undo after an edit by another one.
const PAGE = "dizzle.workshop.page";
const pageId = deviceStore.readText(PAGE) ?? shortId();
deviceStore.writeText(PAGE, pageId);

// Edits of one entry are one undo step: the typing in one input, or one stroke.
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
// The link is withdrawn or the level deleted: nothing can be saved any more.
let isLost = false;
const listeners = [];
const changed = (isFromServer) => listeners.forEach((listener) => listener(isFromServer));

// On a phone messages lie over the page, so they disappear after some time.
const isNarrow = matchMedia("(max-width: 59.99rem)");
export const sayRefusal = messageIn(byId("refusal"), { stays: () => outbox.isHeld() });
// Notice about an undo, redo or loss, until the next edit.
export const sayNotice = messageIn(byId("told"), { stays: () => !isNarrow.matches });

function lose() {
  isLost = true;
  outbox.stop();
  changed(true);
}
const outbox = makeOutbox({
  name: `dizzle.workshop.${key}`,
  post: (acts) => postJson(actsUrl, { acts }),
  together: 50,
  taken(fresh) {
    if (fresh.revision >= state.revision) state = fresh;
    if (fresh.refusal) sayRefusal(fresh.refusal);
    if (fresh.told) sayNotice(fresh.told);
  },
  broken: () => sayRefusal(words.say.broken),
  gone: lose,
  held: sayRefusal,
  changed,
});

export const known = () => state;
export const isSettled = () => outbox.isEmpty();
export const draft = () => applyActs(state.document, outbox.acts());
// Keys of everything compared with the paper, each with its state at that time.
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
  if (acts.length) sayNotice("");
  outbox.add(...acts.map((one) => ({ ...one, page: pageId, entry })));
}

function take(fresh) {
  if (fresh.revision <= state.revision) return;
  state = fresh;
  changed(true);
}
pollState(outbox, () => stateUrl + state.revision, take, () => isLost || lose());

const saving = byId("saving");
let slow;
function showSaving(sentence, isLate) {
  // Do not announce "saved", because that would follow each pause.
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
  byId("undo").setAttribute("aria-disabled", !state.hasUndo && isSaved);
  // A pending edit ends redo, a pending undo makes it possible.
  const isHistory = acts.every((one) => one.do === "undo" || one.do === "redo");
  const hasRedo = isHistory && (state.hasRedo || acts.some((one) => one.do === "undo"));
  byId("redo").setAttribute("aria-disabled", !hasRedo);
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
