// Links and forms whose target replaces the current history entry, so that Back leaves both pages in one step: those
// among the pages of a scoring or tally, and those with `data-again`, which lead to a rematch. htmx only adds entries.
import { requestTimeout } from "./request_timeout.js";
import { submit } from "./submit.js";

const here = /^\/(score|tally)\/[\w-]{32}\//.exec(location.pathname)?.[0];
const isReplacing = (element, url) => "again" in element.dataset || (here && url.startsWith(location.origin + here));

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || link.hasAttribute("download")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const isOnPage = link.pathname === location.pathname && link.search === location.search;
  if (isOnPage || !isReplacing(link, link.href)) return;
  event.preventDefault();
  location.replace(link.href);
});

let isOnItsWay = false;
let isPlain = false;
addEventListener("pageshow", () => (isOnItsWay = isPlain = false));

async function send({ target: form, submitter }) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const request = { method: "POST", body, signal: requestTimeout() };
  const answer = await fetch(actionOf(form, submitter), request).catch(() => null);
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
  if (event.defaultPrevented || form.method !== "post") return;
  if (isReplacing(form, actionOf(form, submitter))) submitReplacing(event);
});
