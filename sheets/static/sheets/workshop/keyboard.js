// Keyboard navigation among the editor's tools.
import { bench } from "./bench.js";
import { byId } from "./page.js";

const toolbar = document.querySelector(".tools");
const grid = byId("grid");
const panels = byId("panels");
const all = [...document.querySelectorAll("[data-tool]")];
const now = byId("tool-now");

const choose = (tool) => {
  tool.click();
  now.textContent = tool.textContent;
};

panels.addEventListener("keydown", (event) => {
  if (event.key === "Escape") bench.focus();
});
for (const place of [grid, panels]) {
  place.addEventListener("keydown", (event) => {
    const by = { PageDown: 1, PageUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.target.matches("textarea, select")) return;
    event.preventDefault();
    const at = all.findIndex((tool) => tool.dataset.tool === bench.tool);
    choose(all[(at + by + all.length) % all.length]);
    if (place === panels) bench.toPanel();
  });
}

// The toolbar is one tab stop; arrow keys move within.
toolbar.addEventListener("keydown", (event) => {
  const at = all.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[(to + all.length) % all.length].focus();
});
