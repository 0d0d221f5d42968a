// By keyboard between the tools, the sheet and what a tool asks; what keys do on the sheet itself
// is each tool's own affair.
"use strict";

(() => {
  const { page, bench } = workshop;
  if (!page) return;
  const grid = document.getElementById("grid");
  const panels = document.getElementById("panels");
  const tools = [...document.querySelectorAll("[data-tool]")];
  const now = document.getElementById("tool-now");

  const choose = (tool) => {
    tool.click();
    tool.scrollIntoView({ block: "nearest", inline: "nearest" });
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
      const at = tools.findIndex((tool) => tool.dataset.tool === bench.tool);
      choose(tools[(at + by + tools.length) % tools.length]);
      if (place === panels) bench.toPanel();
    });
  }

  // The tools are one stop for the Tab key; arrows go along them.
  document.querySelector(".tools").addEventListener("keydown", (event) => {
    const at = tools.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tools.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tools[(to + tools.length) % tools.length].focus();
  });
})();
