// The guided way: coming to mend one thing.
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
