// What a table tells besides the sheet: the end of a pass effect after effect, whose turn it is, and
// the way from sheet to sheet.
"use strict";

(() => {
  const { page, onState, look } = window.dizzle;
  const byId = (id) => document.getElementById(id);
  const remember = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name);
      localStorage.setItem(name, value);
    } catch {
      // private mode: forgotten sooner
    }
    return null;
  };
  let state = JSON.parse(byId("state").textContent);

  // The end of a pass ------------------------------------------------------------------------------

  const LINE_MS = 2200;
  const panel = byId("telling");
  const told = new Set();
  let waiting = [];
  let timer;

  const lines = () => [...document.querySelectorAll("#_story li")];
  const keyOf = (line) => `${line.closest("details").dataset.entry} ${line.textContent}`;

  function light(fields) {
    for (const field of document.querySelectorAll(".art-field")) {
      field.classList.toggle("lit", fields.includes(field.dataset.field));
    }
  }

  function tellNext() {
    clearTimeout(timer);
    const line = waiting.shift();
    if (!line) {
      panel.hidden = true;
      page.classList.remove("is-telling");
      light([]);
      return;
    }
    panel.hidden = false;
    page.classList.add("is-telling");
    panel.querySelector("p").textContent = line.text;
    light(line.players.includes(String(state.shown)) ? line.fields : []);
    timer = setTimeout(tellNext, LINE_MS);
  }

  function tellNew() {
    const fresh = lines().filter((line) => !told.has(keyOf(line)));
    for (const line of fresh) told.add(keyOf(line));
    if (document.hidden || !fresh.length) return;
    const isTelling = !panel.hidden;
    waiting.push(
      ...fresh.map((line) => ({
        text: line.textContent,
        fields: line.dataset.lit.split(" "),
        players: line.dataset.players.split(" "),
      })),
    );
    if (!isTelling) tellNext();
  }

  function skip() {
    waiting = [];
    tellNext();
  }

  panel.addEventListener("click", skip);
  byId("tap").addEventListener("submit", () => panel.hidden || skip());
  document.addEventListener("click", (event) => {
    const line = event.target.closest("#_story li");
    if (!line) return;
    light(line.dataset.lit.split(" "));
    byId("sheet").scrollIntoView({ block: "nearest" });
    setTimeout(() => light([]), LINE_MS);
  });
  for (const line of lines()) told.add(keyOf(line)); // told before this page was opened

  // Whose turn it is -------------------------------------------------------------------------------

  let call = state.call;
  function summon() {
    const isNew = state.call && state.call !== call;
    call = state.call;
    if (isNew && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 60, 120]);
  }

  const showTab = () =>
    document.querySelector("#_people [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

  onState((fresh) => {
    if (fresh.shown !== state.shown) showTab();
    state = fresh;
    tellNew();
    summon();
  });

  // From sheet to sheet: one swipe or key -----------------------------------------------------------

  const people = () => [...document.querySelectorAll("#_people a")];
  function step(by) {
    const all = people();
    const now = all.findIndex((link) => link.hasAttribute("aria-current"));
    const next = all[(now + by + all.length) % all.length];
    if (next && all.length > 1) look(next.getAttribute("href"));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const link = /^[1-6]$/.test(event.key) && people()[Number(event.key) - 1];
    if (link) look(link.getAttribute("href"));
    else if (event.key === "[" || event.key === "]") step(event.key === "]" ? 1 : -1);
  });

  const frame = byId("sheet");
  let from = null;
  frame.addEventListener("touchstart", (event) => {
    const isScrolling = frame.scrollWidth > frame.clientWidth + 1;
    const { touches } = event;
    from = touches.length === 1 && !isScrolling ? { x: touches[0].clientX, y: touches[0].clientY } : null;
  }, { passive: true });
  frame.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    if (!from || event.touches.length) return;
    const [across, down] = [to.clientX - from.x, to.clientY - from.y];
    from = null;
    if (Math.abs(across) > 70 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? 1 : -1);
  }, { passive: true });

  // Purists want no hints ---------------------------------------------------------------------------

  const hints = byId("hints");
  const box = hints.querySelector("input");
  box.checked = remember("dizzle.hints") !== "no";
  const showHints = () => page.classList.toggle("no-hints", !box.checked);
  box.addEventListener("change", () => {
    remember("dizzle.hints", box.checked ? "yes" : "no");
    showHints();
  });
  hints.hidden = false;
  showHints();
})();
