// What somebody does at a table, on its way to the server, and what is said if it is refused.
import { makeOutbox, postForm } from "../lib/outbox.js";
import { sayIn } from "../lib/say.js";
import { heard, hold, lost, page, patience, query } from "./live.js";

const PATIENCE_MS = 15000;

const sayRefusal = sayIn(document.getElementById("refusal"));

// Say why something is not possible, with a link to its rule where there is one; "" says no more.
export function say(sentence, url = "") {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = page.dataset.why;
  sayRefusal(sentence, ...(url ? [link] : []));
}

const isJson = (answer) => answer.headers.get("Content-Type")?.startsWith("application/json");

// An outbox for acts as their forms name them, with the address in `url`; one is sent at a time.
// toSend(act)              what of an act goes to the server
// search()                 what the address says that is shown, sent along
// taken(state, act, asked) what the server says now, and what was shown when it was asked
// changed()                an act has come or gone, or a try has ended
export function tableOutbox({ queue, toSend = (act) => act, search = query, taken, changed }) {
  let asked = "";
  const outbox = makeOutbox({
    queue,
    idName: "request",
    longestWaitMs: 5000,
    post([act]) {
      const { url, ...fields } = toSend(act);
      const target = new URL(url, location);
      target.search = asked = search();
      return postForm(target, fields, patience(PATIENCE_MS));
    },
    // Whatever says how the table stands has taken the act in, a refusal as well.
    meaning: (answer) => (answer.status >= 500 ? "later" : isJson(answer) ? "taken" : "gone"),
    taken(state, [act]) {
      heard();
      taken(state, act, asked);
    },
    // No seat any more, or something we do not know.
    gone(acts) {
      heard();
      outbox.drop(acts);
      location.reload();
    },
    held: hold,
    later: lost,
    changed,
  });
  addEventListener("table:back", outbox.send);
  addEventListener("online", outbox.send);
  return outbox;
}

// Forms that are sent in place become acts.
export function onForms(act) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-send]");
    if (!form) return;
    event.preventDefault();
    const sent = new FormData(form);
    if (event.submitter?.name) sent.set(event.submitter.name, event.submitter.value);
    sent.delete("csrfmiddlewaretoken");
    sent.delete("request");
    act({ url: form.getAttribute("action"), ...Object.fromEntries(sent) });
  });
}
