// A level that is deleted leaves nothing behind on this device either.
"use strict";

(() => {
  const form = document.getElementById("delete-level");
  form?.addEventListener("submit", () => {
    const { key } = form.dataset;
    try {
      for (const name of Object.keys(localStorage)) if (name.startsWith("dizzle.workshop.") && name.includes(key)) localStorage.removeItem(name);
      const recent = JSON.parse(localStorage.getItem("dizzle.recent")) ?? [];
      localStorage.setItem("dizzle.recent", JSON.stringify(recent.filter((entry) => !entry.url.includes(key))));
    } catch {
      // nothing was kept there
    }
  });
})();
