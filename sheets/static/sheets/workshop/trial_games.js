// Result of a few games of bots on the draft, played on the server after a pause in editing. An edit removes the
// result. A level far out of the usual range appears as a warning among the checks.
import { requestTimeout } from "../lib/request_timeout.js";
import { isSettled, known, onChange } from "./acts.js";
import { hasErrors, setPlayed } from "./checks.js";
import { byId } from "./page.js";

const place = byId("trial");
const REST_MS = 3000; // debounce: pause in editing before the games
let rest = 0;
let revision = -1; // revision of the last request

async function ask() {
  const { revision: now } = known();
  if (document.hidden || !isSettled() || now === revision || hasErrors()) return;
  revision = now;
  try {
    const answer = await fetch(place.dataset.url, { signal: requestTimeout() });
    if (answer.status === 429 || answer.status === 503) {
      revision = -1; // busy: repeat later
      rest = setTimeout(ask, Number(answer.headers.get("Retry-After")) * 1000 || REST_MS);
    }
    if (answer.status !== 200) return;
    const found = await answer.json();
    if (found.revision !== known().revision || !isSettled()) return;
    setPlayed(found.checks ?? "");
    place.textContent = found.sentence;
    place.hidden = Boolean(found.checks);
  } catch {
    revision = -1; // no network: the next edit tries again
  }
}
function wait() {
  if (isSettled() && known().revision === revision) return;
  place.hidden = true;
  setPlayed("");
  clearTimeout(rest);
  rest = setTimeout(ask, REST_MS);
}
if (place) {
  onChange(wait);
  document.addEventListener("visibilitychange", wait);
  wait();
}
