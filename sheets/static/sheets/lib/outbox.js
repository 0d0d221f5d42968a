// Ordered queue of acts, sent with retries until the server has them. The server applies each id once (idempotent).
import { newId } from "./new_id.js";

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

// post(acts)      sends acts, returns the promise of an answer
// together        batch size: maximum number of acts per request
// idName          property with an act's id
// longestWaitMs   upper limit of the back-off between two tries
// meaning(answer) replaces `meaningOf`
// inTurn(send)    lock: pages that share the queue send one at a time
// Optional callbacks:
// taken(state, acts)  the server's JSON, and the acts, which have left the queue
// broken(acts)        a malformed act was dropped; the others are sent one by one
// gone(acts, answer)  `drop` the acts or `stop`, else they are sent again
// held(sentence)      the server's reason why it stores nothing; empty when it stores again
// later()             no answer, or no useful one
// changed(isAnswered) acts were added or removed, or a try has ended
export function makeOutbox({
  queue,
  post,
  together = 1,
  idName = "id",
  longestWaitMs = 15000,
  meaning = meaningOf,
  inTurn = (send) => send(),
  taken = () => {},
  broken = () => {},
  gone = () => {},
  held = () => {},
  later = () => {},
  changed = () => {},
}) {
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
    const ids = new Set(acts.map((act) => act[idName]));
    queue.write(queue.read().filter((act) => !ids.has(act[idName])));
    if (isEmpty()) most = together;
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
      taken(state, acts);
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
      if (await inTurn(attempt)) wait = 1000;
      else next = wait;
    } catch {
      hold("");
      later();
      next = wait;
    }
    if (next) wait = Math.min(wait * 2, longestWaitMs);
    isSending = false;
    changed(true);
    if (!isEmpty() && !isStopped && !isRefused) retry = setTimeout(send, next);
  }

  return {
    acts: queue.read,
    isEmpty,
    drop,
    send,
    isSending: () => isSending,
    // Queue acts, each with a new id, and send.
    add(...acts) {
      queue.write([...queue.read(), ...acts.map((act) => ({ ...act, [idName]: newId() }))]);
      try {
        changed(false);
      } finally {
        send(); // even if drawing failed
      }
    },
    // The network is back, or the page is visible again: reset the back-off.
    wake() {
      wait = 1000;
      send();
    },
    // Stop sending; queued acts stay stored.
    stop() {
      isStopped = true;
    },
    isHeld: () => Boolean(heldSentence),
  };
}

// Transport --------------------------------------------------------------------------------------

export const csrfToken = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value;

export const postForm = (url, fields, signal) =>
  fetch(url, {
    method: "POST",
    body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: csrfToken() }),
    headers: { Accept: "application/json" },
    signal,
  });
