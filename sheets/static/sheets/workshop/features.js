// First step of the guide: shows the steps that a sheet needs for its features.
import { act } from "./acts.js";
import { bench } from "./bench.js";
import { setRails } from "./rows.js";
import { fill, page, words } from "./page.js";

const boxes = [...document.querySelectorAll(".features input")];

const always = page.dataset.empty ? ["photo"] : [];
const ticked = () => boxes.filter((box) => box.checked).map((box) => box.value);
function showSteps() {
  const has = ticked();
  const isRails = has.includes("tracks");
  const steps = [...document.querySelectorAll(".guide-steps li")];
  for (const step of steps) {
    const isLeftOut = (isRails && "offRails" in step.dataset) || "leftOut" in step.dataset;
    step.hidden = isLeftOut || !["", "crosses", ...always, ...has].includes(step.dataset.needs);
  }
  const shown = steps.filter((step) => !step.hidden);
  const number = shown.findIndex((step) => step.querySelector("[aria-current]")) + 1;
  document.getElementById("step-count").textContent = fill(words.say.step, { number, all: shown.length });
}
function change() {
  act({ do: "sheet-has", what: ticked() });
  const isRails = ticked().includes("tracks");
  if (isRails !== (bench.draft.marks === "tracks")) setRails(isRails);
  showSteps();
}
for (const box of boxes) box.addEventListener("change", change);
// Apply ticks made before this script ran.
document.addEventListener("DOMContentLoaded", () => boxes.some((box) => box.checked !== box.defaultChecked) && change());
