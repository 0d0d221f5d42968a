// Contribution of this device to the app's dice. The server asks for it once the device has a seat, until the first throw.
import { csrfToken } from "../lib/outbox.js";
import { newId } from "../lib/store.js";
import { onState } from "./live.js";
import { note } from "./seen_commitments.js";

const BYTES = 16; // as CONTRIBUTION of sheets/tables/forms.py

let isSent = false; // or being sent; after a failure the next change of the page tries again

async function contribute() {
  const { commitment, code, contribute: url } = document.querySelector("[data-commitment]")?.dataset ?? {};
  note(code, commitment);
  if (!url || isSent) return;
  isSent = true;
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken(), contribution: newId(BYTES) });
  try {
    isSent = (await fetch(url, { method: "POST", body })).ok;
  } catch {
    isSent = false;
  }
}

contribute();
onState(contribute);
