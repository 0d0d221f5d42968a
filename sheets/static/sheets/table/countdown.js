// Before the host goes on without somebody who is there, all phones count down, and any touch of
// theirs stops that.
import { onState, page, refresh } from "./live.js";

setInterval(() => {
  const shown = document.querySelector("[data-seconds]");
  if (!shown || shown.textContent === "0") return;
  shown.textContent -= 1;
  if (shown.textContent === "0") refresh(true);
}, 1000);

for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, ({ target }) => {
    // An answer is a sign as well.
    if (!target.closest?.("[name=answer]")) document.querySelector("[data-here]")?.requestSubmit?.();
  }, true);
}

// After a minute without news the host may be gone (HOST_SILENCE on the server): only then the page
// offers to become host.
const HOST_SILENCE_MS = 60000;
let quiet = 0;
function beginSilence() {
  clearTimeout(quiet);
  page.classList.remove("is-quiet");
  quiet = setTimeout(() => page.classList.add("is-quiet"), HOST_SILENCE_MS);
}
onState(beginSilence);
beginSilence();
