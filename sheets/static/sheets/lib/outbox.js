// What somebody has done waits here until the server has it: sent in its order, again and again under
// the same ids, which the server counts once.
import { newId } from "./new_id.js";

// What an answer means ---------------------------------------------------------------------------

// "taken": the server knows the acts. It did them, a rule refused them (422), or somebody was faster (409)
// "broken": one of them is no act at all (400)
// "gone": what they are about is gone (404)
// "refused": it takes nothing from this page as it is, which is to be loaded anew (403); the acts are kept
// "later": it can take nothing just now; the acts are kept and sent again
function meaningOf(answer) {
  if (answer.ok || answer.status === 409 || answer.status === 422) return "taken";
  if (answer.status === 400) return "broken";
  if (answer.status === 403) return "refused";
  return answer.status === 404 ? "gone" : "later";
}

// The outbox -------------------------------------------------------------------------------------

// post(acts)      sends some and gives the promise of an answer
// together        so many acts go in one request
// idName          what an act calls its id
// longestWaitMs   between two tries
// meaning(answer) where answers mean something else than `meaningOf` says
// inTurn(send)    where pages that share the queue send one at a time
// What happens is told, all of it optional:
// taken(state, acts)  the server's JSON, and the acts, which have left the outbox
// broken(acts)        a broken act has been given up, alone: those around it are sent one by one
// gone(acts, answer)  the acts are still here: `drop` them or `stop`, else they are sent again later
// held(sentence)      why the server stores nothing, in its words; empty when it does again
// later()             there was no answer, or none that helps
// changed(isAnswered) acts have come or gone, or a try has ended
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
  let isRefused = false; // by itself nothing is sent again
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

  // Those acts, or all.
  function drop(acts = queue.read()) {
    const ids = new Set(acts.map((act) => act[idName]));
    queue.write(queue.read().filter((act) => !ids.has(act[idName])));
    if (isEmpty()) most = together;
  }

  // Whether something came of it, so that the next may follow at once.
  async function attempt() {
    const acts = queue.read().slice(0, most);
    if (!acts.length) return true; // another page has sent them
    const answer = await post(acts);
    const meant = meaning(answer);
    if (meant === "later" || meant === "refused") {
      const said = [403, 503].includes(answer.status) && (await answer.json().catch(() => null));
      hold(said?.sentence ?? "");
      if (!said?.sentence) later();
      // A 403 that says nothing comes from a network in between: it may be gone the next time.
      isRefused = meant === "refused" && Boolean(said?.sentence);
      return false;
    }
    hold("");
    if (meant === "taken") {
      // Read to its end before the acts are let go: a tap meanwhile goes by what they have changed.
      const state = await answer.json();
      drop(acts);
      taken(state, acts);
    } else if (meant === "gone") {
      gone(acts, answer);
      const left = new Set(queue.read().map((act) => act[idName]));
      return !acts.some((act) => left.has(act[idName]));
    } else if (acts.length > 1) {
      most = 1; // one of them is broken: it must not take the others with it
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
    // Put acts in, each with an id of its own, and send.
    add(...acts) {
      queue.write([...queue.read(), ...acts.map((act) => ({ ...act, [idName]: newId() }))]);
      try {
        changed(false);
      } finally {
        send(); // also if the page cannot show it
      }
    },
    // The network is back, or the page is looked at again.
    wake() {
      wait = 1000;
      send();
    },
    // Nothing is sent any more; what waits stays where it is.
    stop() {
      isStopped = true;
    },
    isHeld: () => Boolean(heldSentence),
  };
}

// How they are sent ------------------------------------------------------------------------------

export const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value;

export const postForm = (url, fields, signal, headers) =>
  fetch(url, {
    method: "POST",
    body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: token() }),
    headers: { Accept: "application/json", ...headers },
    signal,
  });
