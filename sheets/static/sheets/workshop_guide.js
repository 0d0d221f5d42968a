// The guided way: which steps a sheet needs, by what it has; and coming to mend one thing.
"use strict";

(() => {
  const { page, words, bench, act, fill } = workshop;
  if (!page) return;

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

  const boxes = [...document.querySelectorAll(".features input")];
  if (!boxes.length) return;

  const ticked = () => boxes.filter((box) => box.checked).map((box) => box.value);
  function showSteps() {
    const has = ticked();
    const isRails = has.includes("tracks");
    const steps = [...document.querySelectorAll(".guide-steps li")];
    for (const step of steps) {
      const { needs } = step.dataset;
      const isLeftOut = isRails && ["crosses", "shifts"].includes(needs);
      step.hidden = isLeftOut || !["", "crosses", ...has].includes(needs);
    }
    const shown = steps.filter((step) => !step.hidden);
    const number = shown.findIndex((step) => step.querySelector("[aria-current]")) + 1;
    document.getElementById("step-count").textContent = fill(words.say.step, { number, all: shown.length });
  }
  function change() {
    act({ do: "sheet-has", what: ticked() });
    const isRails = ticked().includes("tracks");
    if (isRails !== (bench.draft.marks === "tracks")) workshop.setRails(isRails);
    showSteps();
  }
  for (const box of boxes) box.addEventListener("change", change);
  // A tick counts that was quicker than the page.
  document.addEventListener("DOMContentLoaded", () => boxes.some((box) => box.checked !== box.defaultChecked) && change());
})();
