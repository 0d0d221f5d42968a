// Contribution of this device to the app's dice. The server asks for it once the device has a seat, until the first throw.
import { csrfToken } from "../lib/outbox.js";
import { onState } from "./live.js";
import { note } from "./seen_commitments.js";

const randomText = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

let isSent = false;

async function contribute() {
  const { commitment, code, contribute: url } = document.querySelector("[data-commitment]")?.dataset ?? {};
  note(code, commitment);
  if (!url || isSent) return;
  isSent = true;
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken(), contribution: randomText() });
  try {
    await fetch(url, { method: "POST", body });
  } catch {
    isSent = false; // the next change of the page tries again
  }
}

contribute();
onState(contribute);
