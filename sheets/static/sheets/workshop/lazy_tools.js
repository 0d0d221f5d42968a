// Lazy loading of the editor's tools, except the first, at the first use of the page. All load at once, so that they
// then work without a network.
import { bench } from "./bench.js";
import "./checks.js";
import "./trial_games.js";
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
    coming = null; // the next tap or key tries again
    byId("no-tools").hidden = false; // after an update of the site, only a reloaded page has their addresses
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
// Repeat a tap on the grid after its tool has loaded.
grid.addEventListener(
  "click",
  (event) => {
    if (isThere()) return;
    event.stopPropagation();
    fetchOnce().then(() => isThere() && event.target.click());
  },
  true,
);
// Load the tool that was used last.
if (!isThere()) document.addEventListener("DOMContentLoaded", () => isThere() || fetchOnce());
