// How the level plays, as far as a few games of bots tell. They play once editing rests, and what they
// found goes with the next edit: it was said of the sheet as it was. What is far off is one of the checks.
import { inTime } from "../lib/in_time.js";
import { isSettled, known, onChange } from "./acts.js";
import { setPlayed } from "./checks.js";
import { byId } from "./page.js";

const place = byId("trial");
const REST_MS = 3000;
let rest = 0;
let revision = -1; // that it was asked for

async function ask() {
  const { checks, revision: now } = known();
  if (document.hidden || !isSettled() || now === revision || checks.some(({ isError }) => isError)) return;
  revision = now;
  try {
    const answer = await fetch(place.dataset.url, { signal: inTime() });
    if (answer.status === 429 || answer.status === 503) {
      revision = -1; // not just now
      rest = setTimeout(ask, Number(answer.headers.get("Retry-After")) * 1000 || REST_MS);
    }
    if (answer.status !== 200) return;
    const found = await answer.json();
    if (found.revision !== known().revision || !isSettled()) return;
    setPlayed(found.isFar && found.sentence);
    place.textContent = found.isFar ? "" : found.sentence;
    place.hidden = found.isFar;
  } catch {
    revision = -1; // no network: after the next edit they try again
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
