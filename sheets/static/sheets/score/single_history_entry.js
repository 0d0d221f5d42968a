// One history entry for all pages of a scoring (sheets, results, forms): links and forms among them replace the
// current entry, so that Back leaves them in one step. A rematch also replaces it.
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
    // Refused, or no answer: submit natively, so that the browser shows the reason.
    isPlain = true;
    submit(form, submitter);
    return;
  }
  location.replace(answer.url);
}

// Handle a form's `submit` event so that the answer replaces this page in the history.
export function submitReplacing(event) {
  if (isPlain) return;
  event.preventDefault();
  if (!isOnItsWay) send(event);
  isOnItsWay = true;
}

const actionOf = (form, submitter) => (submitter?.hasAttribute("formaction") ? submitter.formAction : form.action);

// On `window`, so that it runs after listeners that send a form themselves.
addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!here || event.defaultPrevented || form.method !== "post") return;
  if (!new URL(actionOf(form, submitter)).pathname.startsWith(here)) return;
  submitReplacing(event);
});
