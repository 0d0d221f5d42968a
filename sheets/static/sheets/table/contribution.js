// In the lobby: the contribution of this device to the app's dice, which the server asks for once it has a seat.
import { csrfToken } from "../lib/outbox.js";
import { onState } from "./live.js";
import { note } from "./seen_commitments.js";

const randomText = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

let isSending = false;

async function contribute() {
  const { commitment, code, contribute: url } = document.querySelector("#_lobby [data-commitment]")?.dataset ?? {};
  note(code, commitment);
  if (!url || isSending) return;
  isSending = true;
  const body = new URLSearchParams({ csrfmiddlewaretoken: csrfToken(), contribution: randomText() });
  try {
    await fetch(url, { method: "POST", body });
  } catch {
    // The next change of the lobby tries again.
  }
  isSending = false;
}

contribute();
onState(contribute);
