// Outbox of a player's acts at a table, and messages about refusals.
import { messageIn } from "../lib/live_region.js";
import { csrfToken, makeOutbox, markUnsent, outboxForms } from "../lib/outbox.js";
import { markConnected, setStorageFault, setUnsent, latestState, markDisconnected, onState, page, requestSignal, query, readState } from "./live.js";

const REQUEST_TIMEOUT_MS = 15000; // as tests/soak/devices.py; then the act is sent again

const refusal = document.getElementById("refusal");
const sayRefusal = messageIn(refusal);
refusal.addEventListener("click", (event) => event.target.closest("a") || sayRefusal(""));

// A refusal such as "It is not your turn" ends with a new call to act.
onState((fresh, before) => {
  if (fresh.call && fresh.call !== before.call) sayRefusal("");
});

// Show why something is not possible, with a link to its rule if there is one; "" hides the message.
export function say(sentence, url = "") {
  const link = document.createElement("a");
  link.href = url;
  link.textContent = page.dataset.why;
  sayRefusal(sentence, ...(url ? [link] : []));
}

// Return the name of an act for the user: its field, or the text of its button.
const nameOf = (act) => act.at ?? act.said;

// Return an outbox for acts with the fields of their forms, and the address in `url`. It sends one at a time.
// toSend(act)              returns the fields of an act that are sent
// search()                 returns the query of the view, sent along
// taken(state, act, asked) the server's new state, and the query it was requested with
// changed()                an act was added or removed, or a try has ended
export function tableOutbox({ toSend = (act) => act, search = query, taken, changed }) {
  let asked = "";
  const outbox = makeOutbox({
    name: `dizzle.table.${page.dataset.code}`,
    idName: "request",
    longestWaitMs: 5000,
    async post([act]) {
      const { url, said, ...fields } = toSend(act);
      const target = new URL(url, location);
      target.search = asked = search();
      const answer = await fetch(target, {
        method: "POST",
        body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: csrfToken() }),
        headers: { "HX-Request": "true" },
        signal: requestSignal(REQUEST_TIMEOUT_MS),
      });
      const text = await answer.text();
      const state = readState(text);
      return { status: answer.status, state, json: async () => state ?? JSON.parse(text) };
    },
    // Each answer with a state means that the server has processed the act, even a refusal. Without one, it may be
    // from a proxy in between, such as a captive portal, except for a malformed act, a lost seat or a deleted table.
    meaning: ({ status, state }) =>
      state && status < 500 ? "taken" : [400, 403, 404].includes(status) ? "gone" : "later",
    taken(state, [act]) {
      markConnected();
      const { refusal } = state;
      const name = nameOf(act);
      // Name the act: by now the user may have forgotten it.
      if (refusal && !refusal.rule && name) refusal.sentence = `${name}${page.dataset.colon} ${refusal.sentence}`;
      taken(state, act, asked);
    },
    gone(acts) {
      markConnected();
      outbox.drop(acts);
      location.reload();
    },
    held: setStorageFault,
    later: markDisconnected,
    changed() {
      showWaiting();
      changed();
    },
  });
  function showWaiting() {
    const names = outbox.acts().map(nameOf).filter(Boolean);
    setUnsent(names.length ? `${page.dataset.waiting} ${names.join(", ")}` : "");
    markUnsent(outbox);
  }
  showWaiting();
  onState(showWaiting);
  addEventListener("table:back", outbox.send);
  return outbox;
}

// Turn submissions of [data-outbox] forms into acts, which `name` may change.
export function onForms(act, outbox, name = (what) => what) {
  outboxForms(outbox, {
    idName: "request",
    toAct: (sent) => name({ moment: latestState().moment, ...sent }), // the act may wait for long
    add: act,
  });
}
