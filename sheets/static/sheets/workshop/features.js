// The first step of the guided way: which steps a sheet needs, by what it has.
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
    const isLeftOut = (isRails && "offRails" in step.dataset) || "inPhoto" in step.dataset;
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
// A tick counts that was quicker than the page.
document.addEventListener("DOMContentLoaded", () => boxes.some((box) => box.checked !== box.defaultChecked) && change());
