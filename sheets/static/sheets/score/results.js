// Results page: sends marks that are still queued, and reloads when the server has a newer revision. An empty outbox
// alone does not prove that the page includes all marks.
import { requestTimeout } from "../lib/request_timeout.js";
import { onReconnect } from "../lib/json_outbox.js";
import { scoreOutbox } from "./outbox.js";
import { page } from "./page.js";

const { newsUrl, revision } = page.dataset;
const outbox = scoreOutbox({ taken: poll, broken: poll, gone: () => outbox.drop(), changed: showWaiting });

function showWaiting() {
  const waiting = document.getElementById("waiting");
  if (waiting) waiting.hidden = outbox.isEmpty();
}

async function poll() {
  if (document.hidden || !outbox.isEmpty()) return;
  try {
    const answer = await fetch(newsUrl, { signal: requestTimeout() });
    if (answer.ok && String((await answer.json()).revision) !== revision) location.reload();
  } catch {
    // no network: the next poll tries again
  }
}

setInterval(poll, 7000);
addEventListener("storage", showWaiting); // another page has sent the marks
onReconnect(() => {
  showWaiting();
  outbox.wake();
  poll();
});
