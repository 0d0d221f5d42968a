// What became of a proposal stays in sight until whoever holds the phone has had time to read it and
// then taps anything, or taps the sentence itself. This tab remembers the last one that was read.
import { tabStore } from "../lib/store.js";
import { onState } from "./live.js";

const NAME = "dizzle.told";
const READ_MS = 4000;

let shown = "";
let since = 0;

function look() {
  const place = document.getElementById("_proposal");
  const told = place.dataset.told ?? "";
  if (told !== shown) {
    shown = told;
    since = performance.now();
  }
  place.hidden = Boolean(told) && told === tabStore.readText(NAME);
}

onState(look);
look();
document.addEventListener("visibilitychange", () => (since = performance.now()));

for (const kind of ["click", "keydown"]) {
  addEventListener(kind, ({ target }) => {
    const isRead = performance.now() - since > READ_MS || target.closest?.("[data-told]");
    if (!shown || !isRead) return;
    tabStore.writeText(NAME, shown);
    look();
  });
}
