// Results page: sends marks that are still queued. htmx polls for newer `#_results`, but only while the page is visible
// and includes all marks of this device.
import { onReconnect } from "../lib/outbox.js";
import { scoreOutbox } from "./outbox.js";

const outbox = scoreOutbox({ taken: poll, broken: poll, gone: () => outbox.drop(), changed: showWaiting });

function showWaiting() {
  const waiting = document.getElementById("waiting");
  if (waiting) waiting.hidden = outbox.isEmpty();
}

function poll() {
  document.getElementById("_results").dispatchEvent(new Event("news"));
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden || !outbox.isEmpty()) event.preventDefault();
});
// The service worker's notice on a cached page no longer holds.
document.addEventListener("htmx:afterSwap", () => document.querySelector(".from-memory")?.remove());
onReconnect(showWaiting);
