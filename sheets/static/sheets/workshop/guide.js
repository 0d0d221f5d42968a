// Guide: opens the entry to correct, and sets the focus when coming from another step.
import { bench } from "./bench.js";
import "./checks.js";
import { page } from "./page.js";

const { opens, lit } = page.dataset;
function open() {
  bench.lit = lit.split(" ").filter(Boolean);
  const [what, ...which] = opens.split(" ");
  if (what === "edge") bench.tools.lines.tapEdge(which.join(" "));
  else if (what === "chain") bench.tools.lines.open(Number(which[0]));
  else if (what === "area") bench.tools.areas.open(Number(which[0]));
  else if (what === "field") bench.moveTo(which[0]);
  else if (what) document.querySelector(opens)?.focus();
  bench.draw();
}
if (opens !== undefined) document.addEventListener("DOMContentLoaded", open);

// Focus the title, for keyboard and screen reader users.
const isGuide = (url) => /\/guide\/\w+\/([?#].*)?$/.test(url);
const title = document.querySelector("h1");
if (opens === undefined && isGuide(document.referrer)) {
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}
