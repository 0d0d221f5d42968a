// The results must not be read before the last taps have arrived, from here or elsewhere. An empty
// outbox does not prove that they were in time for this page: its revision does.
import { inTime } from "../lib/in_time.js";
import { whenBack } from "../lib/json_outbox.js";
import { scoreOutbox } from "./outbox.js";
import { page } from "./place.js";

const { newsUrl, revision } = page.dataset;
const outbox = scoreOutbox({ taken: catchUp, broken: catchUp, gone: () => outbox.drop() });

async function catchUp() {
  if (document.hidden || !outbox.isEmpty()) return;
  try {
    const answer = await fetch(newsUrl, { signal: inTime() });
    if (answer.ok && String((await answer.json()).revision) !== revision) location.reload();
  } catch {
    // no network: the next look will tell
  }
}

setInterval(catchUp, 7000);
whenBack(() => {
  const waiting = document.getElementById("waiting");
  if (waiting) waiting.hidden = outbox.isEmpty();
  outbox.wake();
  catchUp();
});
