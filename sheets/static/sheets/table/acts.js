// What somebody does at a table, on its way to the server, and what is said if it is refused.
import { makeOutbox, postForm } from "../lib/outbox.js";
import { sayIn } from "../lib/say.js";
import { heard, hold, keepWaiting, latest, lost, onState, page, patience, query } from "./live.js";
import { waiting } from "./waiting.js";

const PATIENCE_MS = 15000;

const refusal = document.getElementById("refusal");
const sayRefusal = sayIn(refusal);
refusal.addEventListener("click", (event) => event.target.closest("a") || sayRefusal(""));

// Say why something is not possible, with a link to its rule where there is one; "" says no more.
export function say(sentence, url = "") {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = page.dataset.why;
  sayRefusal(sentence, ...(url ? [link] : []));
}

const isJson = (answer) => answer.headers.get("Content-Type")?.startsWith("application/json");

const saidBy = (button) => (button.getAttribute("aria-label") ?? button.firstChild.textContent).trim();

// What an act is called: a field, or the button that was pressed.
const nameOf = (act) => act.at ?? act.said;

// An outbox for acts as their forms name them, with the address in `url`; one is sent at a time.
// toSend(act)              what of an act goes to the server
// search()                 what the address says that is shown, sent along
// taken(state, act, asked) what the server says now, and what was shown when it was asked
// changed()                an act has come or gone, or a try has ended
export function tableOutbox({ toSend = (act) => act, search = query, taken, changed }) {
  let asked = "";
  const outbox = makeOutbox({
    ...waiting,
    idName: "request",
    longestWaitMs: 5000,
    post([act]) {
      const { url, said, ...fields } = toSend(act);
      const target = new URL(url, location);
      target.search = asked = search();
      return postForm(target, fields, patience(PATIENCE_MS));
    },
    // Whatever says how the table stands has taken the act in, a refusal as well.
    meaning: (answer) => (answer.status >= 500 ? "later" : isJson(answer) ? "taken" : "gone"),
    taken(state, [act]) {
      heard();
      if (!state.parts) return;
      const { refusal } = state;
      const name = nameOf(act);
      // What comes late may be long forgotten.
      if (refusal && !refusal.rule && name) refusal.sentence = `${name}: ${refusal.sentence}`;
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
    changed: show,
  });
  function showWaiting() {
    const names = outbox.acts().map(nameOf).filter(Boolean);
    keepWaiting(names.length ? `${page.dataset.waiting} ${names.join(", ")}` : "");
    const said = outbox.acts().map((act) => act.said);
    for (const button of document.querySelectorAll("[data-send] button")) {
      button.toggleAttribute("data-unsent", said.includes(saidBy(button)));
    }
  }
  function show() {
    showWaiting();
    changed();
  }
  showWaiting();
  onState(showWaiting);
  addEventListener("storage", show); // another page of this table has added an act, or sent it
  addEventListener("table:back", outbox.send);
  addEventListener("online", outbox.send);
  return outbox;
}

// Whether two acts are the same but for their ids.
const isSame = (one, other) =>
  Object.keys({ ...one, ...other }).every((name) => name === "request" || one[name] === other[name]);

// Forms that are sent in place become acts, after `name` has said what they are about. What waits in
// the outbox already is not done twice.
export function onForms(act, outbox, name = (what) => what) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-send]");
    if (!form) return;
    event.preventDefault();
    const sent = new FormData(form);
    if (event.submitter?.name) sent.set(event.submitter.name, event.submitter.value);
    sent.delete("csrfmiddlewaretoken");
    sent.delete("request");
    const said = event.submitter ? { said: saidBy(event.submitter) } : {};
    const { moment } = latest(); // whatever it is, it may wait for long
    const what = name({ url: form.getAttribute("action"), moment, ...said, ...Object.fromEntries(sent) });
    if (!outbox.acts().some((one) => isSame(one, what))) act(what);
  });
}
