// Stepping through a game, and what lines light up: links by keyboard, exchanged in place.
"use strict";

(() => {
  // A line of a score column or of a story lights up its fields.
  const framesOf = (line) => {
    const own = line.closest(".shown-sheet")?.querySelector(".shown-paper");
    if (own) return [own];
    const players = (line.dataset.players ?? "").split(" ").filter(Boolean);
    return players.map((player) => document.getElementById(`sheet-${player}`)).filter(Boolean);
  };

  function light(line, isOn) {
    const lit = line.dataset.lit.split(" ");
    const missing = (line.dataset.missing ?? "").split(" ");
    for (const frame of framesOf(line)) {
      for (const field of frame.querySelectorAll(".art-field")) {
        field.classList.toggle("lit", isOn && lit.includes(field.dataset.field));
        field.classList.toggle("missing", isOn && missing.includes(field.dataset.field));
      }
    }
  }

  let on = null;
  function choose(line) {
    if (on === line) return;
    if (on) light(on, false);
    on = line;
    if (on) light(on, true);
  }

  const lineAt = (event) => event.target.closest?.("[data-lit]");
  for (const name of ["pointerover", "focusin", "click"]) {
    document.addEventListener(name, (event) => {
      const line = lineAt(event);
      if (line) choose(line);
    });
  }
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && lineAt(event)) choose(null);
  });
  document.addEventListener("focusout", (event) => lineAt(event) && choose(null));

  // Steps ------------------------------------------------------------------------------------------

  if (!document.getElementById("history")) return;
  const STEPS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "pass-back", ArrowDown: "pass-on" };
  let asked = 0;

  async function go(url, isNew) {
    const number = ++asked;
    let text = "";
    try {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(String(answer.status));
      text = await answer.text();
    } catch {
      location.assign(url); // the browser says what is wrong
      return;
    }
    if (number !== asked) return;
    const old = document.getElementById("history");
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("history");
    const focused = document.activeElement?.dataset?.step;
    const isOpen = new Map();
    for (const part of old.querySelectorAll("details")) isOpen.set(part.id, part.open);
    for (const part of fresh.querySelectorAll("details")) {
      part.open = isOpen.get(part.id) ?? part.open;
    }
    old.replaceWith(fresh);
    on = null;
    if (isNew) history.pushState(null, "", url);
    if (focused) fresh.querySelector(`[data-step="${focused}"]`)?.focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#history a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href, true);
  });
  addEventListener("popstate", () => go(location.href, false));
  document.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("summary, .scroll-x")) return;
    event.preventDefault();
    document.querySelector(`[data-step="${step}"][href]`)?.click();
  });
})();
