// Outbox of acts: what the user does with [data-outbox] forms, or taps on a drawing (`add`), is stored on the device,
// shown as data-unsent, and sent in order with retries. The server applies each id once (idempotent).
import { requestTimeout } from "./request_timeout.js";
import { deviceStore, newId } from "./store.js";

// Storage ----------------------------------------------------------------------------------------

const NUMBER_AND_ID = /^\d+\.[^.]+$/;

// Queue on the device for all tabs. Each act has its own, ordered name, so that two tabs neither lose nor duplicate acts.
function storedQueue(name, idName) {
  const rest = (stored) => stored.slice(name.length + 1);
  const names = () => deviceStore.names(`${name}.`).filter((stored) => NUMBER_AND_ID.test(rest(stored))).sort();

  // Return whether the device has stored all of them.
  function add(acts) {
    let number = parseInt(rest(names().at(-1) ?? "") || 1e5, 10);
    return acts.map((act) => deviceStore.write(`${name}.${(number += 1)}.${act[idName]}`, act)).every(Boolean);
  }

  function drop(acts) {
    const ids = new Set(acts.map((act) => act[idName]));
    for (const stored of names()) if (ids.has(stored.split(".").pop())) deviceStore.forget(stored);
  }

  // Versions 1.0 and 1.1 stored lists of acts.
  for (const old of deviceStore.names(name)) {
    const acts = deviceStore.read(old);
    if (Array.isArray(acts) && add(acts)) deviceStore.forget(old);
  }
  return { read: () => names().map((stored) => deviceStore.read(stored)).filter(Boolean), add, drop };
}

// Classification of answers ----------------------------------------------------------------------

// "taken": the server has the acts; a rule may have refused them (422), or another act was first (409)
// "broken": one act is malformed (400)
// "gone": the table or sheet does not exist any more (404)
// "refused": the page must be reloaded (403); acts stay
// "later": any other answer; acts stay and are sent again
function meaningOf(answer) {
  if (answer.ok || answer.status === 409 || answer.status === 422) return "taken";
  if (answer.status === 400) return "broken";
  if (answer.status === 403) return "refused";
  return answer.status === 404 ? "gone" : "later";
}

// The outbox -------------------------------------------------------------------------------------

// name            begin of the names of stored acts
// post(acts)      sends acts, returns the promise of an answer
// together        batch size: maximum number of acts per request
// idName          property with an act's id
// longestWaitMs   upper limit of the back-off between two tries
// meaning(answer) replaces `meaningOf`
// Optional callbacks:
// taken(state, acts)  the server's JSON, and the acts, which have left the queue
// broken(acts)        a malformed act was dropped; the others are sent one by one
// gone(acts, answer)  `drop` the acts or `stop`, else they are sent again
// held(sentence)      the server's reason why it stores nothing; empty when it stores again
// later()             no answer, or no useful one
// changed(isAnswered) acts were added or removed, perhaps by another tab, or a try has ended
export function makeOutbox({
  name,
  post,
  together = 1,
  idName = "id",
  longestWaitMs = 15000,
  meaning = meaningOf,
  taken = () => {},
  broken = () => {},
  gone = () => {},
  held = () => {},
  later = () => {},
  changed = () => {},
}) {
  const queue = storedQueue(name, idName);
  let isSending = false;
  let isStopped = false;
  let isRefused = false; // no automatic retry
  let retry;
  let wait = 1000;
  let most = together;
  let heldSentence = "";

  const isEmpty = () => !queue.read().length;

  function hold(sentence) {
    if (sentence === heldSentence) return;
    heldSentence = sentence;
    held(sentence);
  }

  // Remove these acts from the queue, by default all.
  function drop(acts = queue.read()) {
    queue.drop(acts);
    if (isEmpty()) most = together;
  }

  // Lock: one tab sends at a time. A sleeping tab may never release it; after a timeout the acts are sent anyway, and
  // the server ignores duplicates.
  function inTurn() {
    let sent;
    const once = () => (sent ??= attempt());
    return navigator.locks?.request(name, { signal: requestTimeout() }, once).catch(once) ?? once();
  }

  // Send one batch. Returns whether the next one may follow at once.
  async function attempt() {
    const acts = queue.read().slice(0, most);
    if (!acts.length) return true; // sent by another page
    const answer = await post(acts);
    const meant = meaning(answer);
    if (meant === "later" || meant === "refused") {
      const said = [403, 503].includes(answer.status) && (await answer.json().catch(() => null));
      hold(said?.sentence ?? "");
      if (!said?.sentence) later();
      // A 403 without a sentence comes from a proxy in between, such as a captive portal: retry.
      isRefused = meant === "refused" && Boolean(said?.sentence);
      return false;
    }
    hold("");
    if (meant === "taken") {
      // Read the whole body before removing the acts: a tap meanwhile depends on what they change.
      const state = await answer.json();
      drop(acts);
      queueMicrotask(() => taken(state, acts)); // outside of `try`: an error while drawing is no network fault
    } else if (meant === "gone") {
      gone(acts, answer);
      const left = new Set(queue.read().map((act) => act[idName]));
      return !acts.some((act) => left.has(act[idName]));
    } else if (acts.length > 1) {
      most = 1; // one act is malformed: send them one by one, so that the others are not lost
    } else {
      drop(acts);
      broken(acts);
    }
    return true;
  }

  async function send() {
    clearTimeout(retry);
    if (isSending || isStopped || isEmpty()) return;
    isSending = true;
    isRefused = false;
    let next = 0;
    try {
      if (await inTurn()) wait = 1000;
      else next = wait;
    } catch {
      hold("");
      later();
      next = wait;
    }
    if (next) wait = Math.min(wait * 2, longestWaitMs);
    isSending = false;
    if (!isEmpty() && !isStopped && !isRefused) retry = setTimeout(send, next);
    changed(true);
  }

  // Queue acts, each with a new id, and send.
  function add(...acts) {
    queue.add(acts.map((act) => ({ ...act, [idName]: newId() })));
    try {
      changed(false);
    } finally {
      send(); // even if drawing failed
    }
  }

  // The network is back, or the page is visible again: reset the back-off.
  function wake() {
    wait = 1000;
    send();
  }

  onReconnect(wake);
  addEventListener("storage", ({ key }) => key?.startsWith(name) && changed(false)); // another tab added or sent acts
  return {
    acts: queue.read,
    isEmpty,
    drop,
    add,
    send,
    wake,
    isSending: () => isSending,
    // Stop sending; queued acts stay stored.
    stop() {
      isStopped = true;
    },
    isHeld: () => Boolean(heldSentence),
  };
}

// Polling ----------------------------------------------------------------------------------------

const POLL_MS = 7000;

// Poll for changes by other devices and tabs, while the page is visible and the outbox is empty.
// address()   returns the address of the state, which is 204 without news
// take(state) takes the server's JSON
// gone()      the resource does not exist any more (404)
export function pollState(outbox, address, take, gone) {
  async function poll() {
    if (document.hidden || !outbox.isEmpty()) return;
    const answer = await fetch(address(), { signal: requestTimeout() }).catch(() => null);
    // The service worker's notice on a cached page no longer holds.
    if (answer?.ok) document.querySelector(".from-memory")?.remove();
    const state = answer?.status === 200 && (await answer.json().catch(() => null));
    if (!outbox.isEmpty()) return; // the answer to these acts is newer
    if (state) take(state);
    else if (answer?.status === 404) gone();
  }
  setInterval(poll, POLL_MS);
  onReconnect(poll);
  addEventListener("storage", poll); // another tab may have sent acts
}

// Forms ------------------------------------------------------------------------------------------

// Return whether two acts differ at most in their ids.
const isSame = (one, other, idName) =>
  Object.keys({ ...one, ...other }).every((name) => name === idName || one[name] === other[name]);

const saidBy = (button) => (button.getAttribute("aria-label") ?? button.firstChild.textContent).trim();

// Turn submissions of [data-outbox] forms into acts with the form's fields, its address as `url`, and the text of the
// button as `said`. `toAct` may change them before `add`. An act that is already queued is not added again.
export function outboxForms(outbox, { idName = "id", toAct = (act) => act, add = outbox.add } = {}) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-outbox]");
    if (!form) return;
    event.preventDefault();
    const sent = new FormData(form);
    if (event.submitter?.name) sent.set(event.submitter.name, event.submitter.value);
    sent.delete("csrfmiddlewaretoken");
    sent.delete(idName);
    const said = event.submitter ? { said: saidBy(event.submitter) } : {};
    const act = toAct({ url: form.getAttribute("action"), ...said, ...Object.fromEntries(sent) });
    if (!outbox.acts().some((one) => isSame(one, act, idName))) add(act);
  });
}

// Mark the buttons of [data-outbox] forms whose acts wait.
export function markUnsent(outbox) {
  const said = outbox.acts().map((act) => act.said);
  for (const button of document.querySelectorAll("[data-outbox] button")) {
    button.toggleAttribute("data-unsent", said.includes(saidBy(button)));
  }
}

// Transport --------------------------------------------------------------------------------------

export const csrfToken = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value;

export const postJson = (url, body) =>
  fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    signal: requestTimeout(),
  });

// Call `go` whenever the network is back or the page becomes visible again.
export function onReconnect(go) {
  addEventListener("online", go);
  addEventListener("pageshow", go);
  document.addEventListener("visibilitychange", () => document.hidden || go());
}
