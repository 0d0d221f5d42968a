// Results page: sends marks that are still queued, and reloads when the server has a newer revision. An empty outbox
// alone does not prove that the page includes all marks.
import { requestTimeout } from "../lib/request_timeout.js";
import { onReconnect } from "../lib/json_outbox.js";
import { scoreOutbox } from "./outbox.js";
import { page } from "./page.js";

const LEAVING_MS = 30000; // a reload would cancel the way to the page of a link or form; after this time it has failed

const { newsUrl, revision } = page.dataset;
const outbox = scoreOutbox({ taken: poll, broken: poll, gone: () => outbox.drop(), changed: showWaiting });

let leftAt = -LEAVING_MS;
const leave = () => (leftAt = performance.now());
const isLeaving = () => performance.now() - leftAt < LEAVING_MS;

function showWaiting() {
  const waiting = document.getElementById("waiting");
  if (waiting) waiting.hidden = outbox.isEmpty();
}

async function poll() {
  if (document.hidden || !outbox.isEmpty()) return;
  try {
    const answer = await fetch(newsUrl, { signal: requestTimeout() });
    if (answer.ok && String((await answer.json()).revision) !== revision && !isLeaving()) location.reload();
  } catch {
    // no network: the next poll tries again
  }
}

setInterval(poll, 7000);
document.addEventListener("click", ({ target }) => target.closest?.("a[href]:not([download])") && leave());
document.addEventListener("submit", leave);
addEventListener("storage", showWaiting); // another page has sent the marks
onReconnect(() => {
  showWaiting();
  outbox.wake();
  poll();
});
