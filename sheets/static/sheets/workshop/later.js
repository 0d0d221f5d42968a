// The tools of the editor but for the first come when somebody begins to use the page, all at once:
// from then on they are there without a network, too.
import { bench } from "./bench.js";
import "./checks.js";
import "./trial.js";
import { byId } from "./page.js";

const addresses = document.querySelector(".tools").dataset.later.split(" ");
const SIGNS = ["pointerover", "pointerdown", "keydown", "focusin"];
const grid = byId("grid");

const isThere = () => bench.tool in bench.tools;
let coming = null;

async function fetchAll() {
  try {
    await Promise.all(addresses.map((address) => import(address)));
  } catch {
    coming = null; // the next tap or key asks again
    byId("no-tools").hidden = false; // after an update of the site, only a new page has their addresses
    return;
  }
  byId("no-tools").hidden = true;
  for (const sign of SIGNS) removeEventListener(sign, fetchOnce, true);
  bench.choose(bench.tool);
}
function fetchOnce() {
  coming ??= fetchAll();
  return coming;
}

for (const sign of SIGNS) addEventListener(sign, fetchOnce, true);
addEventListener("online", () => isThere() || fetchOnce());
// A tap for a tool that is still on its way counts when it is there.
grid.addEventListener(
  "click",
  (event) => {
    if (isThere()) return;
    event.stopPropagation();
    fetchOnce().then(() => isThere() && event.target.click());
  },
  true,
);
// What was used here last is used again.
if (!isThere()) document.addEventListener("DOMContentLoaded", () => isThere() || fetchOnce());
