// Result of a proposal: visible until the user taps it, or taps anything after READ_MS. The tab stores the last one
// that was read.
import { tabStore } from "../lib/store.js";
import { onState } from "./live.js";

const NAME = "dizzle.told";
const READ_MS = 4000; // time to read the sentence

let shown = "";
let since = 0;

function update() {
  const place = document.getElementById("_proposal");
  const told = place.dataset.told ?? "";
  if (told !== shown) {
    shown = told;
    since = performance.now();
  }
  place.hidden = Boolean(told) && told === tabStore.readText(NAME);
}

onState(update);
update();
document.addEventListener("visibilitychange", () => (since = performance.now()));

for (const kind of ["click", "keydown"]) {
  addEventListener(kind, ({ target }) => {
    const isRead = performance.now() - since > READ_MS || target.closest?.("[data-told]");
    if (!shown || !isRead) return;
    tabStore.writeText(NAME, shown);
    update();
  });
}
