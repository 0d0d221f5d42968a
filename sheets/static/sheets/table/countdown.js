// Countdown before the host goes on without a player; any touch of that player's phone cancels it.
import { submit } from "../lib/submit.js";
import { onState, page, refresh } from "./live.js";

setInterval(() => {
  const shown = document.querySelector("[data-seconds]");
  if (!shown || shown.textContent === "0") return;
  shown.textContent -= 1;
  if (shown.textContent === "0") refresh(true);
}, 1000);

for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, ({ target }) => {
    const form = document.querySelector("[data-here]");
    // An answer to a proposal is sent by its own form.
    if (form && !target.closest?.("[name=answer]")) submit(form);
  }, true);
}

// After this time without news the host may be gone, and the page offers to become host (HOST_SILENCE on the
// server).
const HOST_SILENCE_MS = 60000;
let quiet = 0;
function beginSilence() {
  clearTimeout(quiet);
  page.classList.remove("is-quiet");
  quiet = setTimeout(() => page.classList.add("is-quiet"), HOST_SILENCE_MS);
}
onState(beginSilence);
beginSilence();
