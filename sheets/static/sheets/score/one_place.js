// Sheets and results of one scoring, and the pages to change them, are one place: Back leaves it in one
// step, whatever was looked at or sent there. Another round of the same people takes its place.
import { submit } from "../lib/submit.js";

const placeOf = (path) => /^\/(score|tally)\/[\w-]{32}\//.exec(path)?.[0];
const here = placeOf(location.pathname);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!here || !link || event.defaultPrevented || event.button || link.hasAttribute("download")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  const isOnPage = to.pathname === location.pathname && to.search === location.search;
  if (to.origin !== location.origin || !to.pathname.startsWith(here) || isOnPage) return;
  event.preventDefault();
  location.replace(link.href);
});

let isOnItsWay = false;
let isPlain = false;
addEventListener("pageshow", () => (isOnItsWay = isPlain = false));

async function send({ target: form, submitter }) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const answer = await fetch(actionOf(form, submitter), { method: "POST", body }).catch(() => null);
  if (!answer?.redirected) {
    // Refused, or lost: sent once more as it is without script, so that the browser shows why.
    isPlain = true;
    submit(form, submitter);
    return;
  }
  location.replace(answer.url);
}

// Sends a form whose submission `event` asks for; the answer takes the place of this page.
export function sendFromHere(event) {
  if (isPlain) return;
  event.preventDefault();
  if (!isOnItsWay) send(event);
  isOnItsWay = true;
}

const actionOf = (form, submitter) => (submitter?.hasAttribute("formaction") ? submitter.formAction : form.action);

// After all who send a form themselves.
addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!here || event.defaultPrevented || form.method !== "post") return;
  if (!new URL(actionOf(form, submitter)).pathname.startsWith(here)) return;
  sendFromHere(event);
});
