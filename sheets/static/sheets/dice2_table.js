// A board of Dice² at a table: first the number thrown, then the field. An act is sent again under
// the same id until the server has answered; what the page shows is what the server said last.
"use strict";

(() => {
  const { page, take, heard, lost, hold, isKept, onState, look, refresh, query, turnOver } = window.dizzle;
  const byId = (id) => document.getElementById(id);
  const tap = byId("tap");
  const buttons = new Map();
  for (const button of tap.querySelectorAll(".sheet-grid button")) buttons.set(button.dataset.at, button);
  let state = JSON.parse(byId("state").textContent);

  const chosen = () => tap.querySelector("[name=die]:checked")?.value ?? "";
  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  // Saying -----------------------------------------------------------------------------------------

  let quiet;
  function say({ sentence, url, at, by }) {
    const refusal = byId("refusal");
    clearTimeout(quiet);
    refusal.replaceChildren(sentence);
    if (url) {
      const link = document.createElement("a");
      link.href = url;
      link.textContent = page.dataset.why;
      refusal.append(" ", link);
    }
    // The way out is not to be hidden by why there is no other.
    refusal.classList.toggle("lifted", [...tap.querySelectorAll(".skip-die")].some((skip) => skip.offsetParent));
    refusal.classList.toggle("is-low", /[789]$/.test(at));
    refusal.hidden = false;
    quiet = setTimeout(() => (refusal.hidden = true), 9000);
    const inTheWay = by ? by.split(" ").map((die) => [`[data-die="${die}"]`, "in-the-way"]) : [];
    for (const [selector, name] of [[`[data-field="${at}"]`, "refused"], ...inTheWay]) {
      const drawn = document.querySelector(selector);
      if (!drawn) continue;
      drawn.classList.remove(name);
      drawn.getBoundingClientRect(); // so that a second shake begins anew
      drawn.classList.add(name);
      setTimeout(() => drawn.classList.remove(name), 2500);
    }
  }

  // Sending ----------------------------------------------------------------------------------------

  let waiting = null;
  let isSending = false;
  let retry;
  let wait = 1000;

  async function send() {
    clearTimeout(retry);
    if (isSending || !waiting) return;
    isSending = true;
    page.classList.add("is-sending");
    const { url, ...sent } = waiting;
    try {
      const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
      const target = new URL(url, location);
      const answer = await fetch(target, {
        method: "POST",
        body: new URLSearchParams({ ...sent, csrfmiddlewaretoken }),
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout?.(15000),
      });
      if (!(await isKept(answer))) {
        const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
        const fresh = isJson ? await answer.json() : null;
        waiting = null;
        wait = 1000;
        heard();
        if (fresh) {
          if (query()) look("");
          take(fresh);
          if (fresh.refusal) say(fresh.refusal);
        } else location.reload(); // no seat any more, or something we do not know
      }
    } catch {
      hold("");
      lost();
    }
    isSending = false;
    if (waiting) {
      retry = setTimeout(send, wait);
      wait = Math.min(wait * 2, 5000);
    } else page.classList.remove("is-sending");
  }

  function act(what) {
    if (waiting) return; // a second tap of a nervous thumb means nothing
    byId("refusal").hidden = true;
    waiting = { request: newId(), ...what };
    if (what.do === "place") showOnItsWay(what.at, what.die ?? state.thrown);
    send();
  }

  // The die lies there faintly until the server has answered: what it says is drawn over this.
  function showOnItsWay(at, die) {
    if (document.querySelector(`[data-die="${at}"]`)) return;
    const faint = document.createElementNS("http://www.w3.org/2000/svg", "use");
    faint.setAttribute("href", `#art-${state.die}-${die}`);
    faint.setAttribute("class", "on-its-way");
    faint.setAttribute("width", "100");
    faint.setAttribute("height", "100");
    document.querySelector(`[data-field="${at}"]`).append(faint);
  }

  addEventListener("table:back", send);
  addEventListener("online", send);

  tap.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    const at = submitter?.dataset.at ?? "";
    const die = chosen();
    if (at && die === "why") {
      look(`?why=${at}`);
      return;
    }
    if (!submitter) return;
    if (!state.mine) {
      if (at && state.waiting) say({ sentence: state.waiting });
      return;
    }
    const isSkip = submitter.value === "skip";
    if (!at && !isSkip) return;
    if (!die && !state.thrown) {
      say({ sentence: page.dataset.choose });
      return;
    }
    const what = { url: page.dataset.actUrl, do: isSkip ? "skip" : "place", player: state.seat, moment: state.moment };
    if (at) what.at = at;
    if (die) what.die = die;
    act(what);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-send]");
    if (!form) return;
    event.preventDefault();
    const sent = new FormData(form);
    if (event.submitter?.name) sent.set(event.submitter.name, event.submitter.value);
    sent.delete("csrfmiddlewaretoken");
    sent.delete("request");
    act({ url: form.getAttribute("action"), ...Object.fromEntries(sent) });
  });

  // Choosing ---------------------------------------------------------------------------------------

  let number = ""; // chosen before somebody asked about a field, and again afterwards

  function chose() {
    byId("refusal").hidden = true;
    const die = chosen();
    if (die !== "why") number = die;
    if (query() && die !== "why") look("");
  }

  function stopAsking() {
    byId("die-why").checked = false;
    const key = byId(`die-${number}`);
    if (key) key.checked = true;
    chose();
  }

  function choose(key) {
    if (key.checked && key.value === "why") stopAsking();
    else {
      key.checked = true;
      chose();
    }
  }

  // Before the board hears of them: Escape ends asking first, and Enter on a key is no tap on a field.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input[type=text]")) return;
    const focused = event.target.closest("[name=die]");
    const named = /^[1-6]$/.test(event.key) ? byId(`die-${event.key}`) : event.key === "?" && byId("die-why");
    const isAsking = chosen() === "why";
    if (named) choose(named);
    else if (event.key === "Escape" && isAsking) stopAsking();
    else if (focused && (event.key === "Enter" || (event.key === " " && isAsking))) choose(focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  // Radio buttons cannot be let go of by themselves.
  tap.addEventListener("pointerdown", (event) => {
    const key = event.target.closest(".ask-why")?.querySelector("input");
    if (key?.checked) key.addEventListener("click", () => setTimeout(stopAsking), { once: true });
  });
  tap.addEventListener("change", chose);

  // Showing ----------------------------------------------------------------------------------------

  function label() {
    for (const [at, button] of buttons) {
      const [says, takes] = state.cells[at];
      if (button.getAttribute("aria-label") !== says) button.setAttribute("aria-label", says);
      if (takes) button.dataset.takes = takes;
      else delete button.dataset.takes;
    }
    tap.querySelector(".sheet-grid").dataset.enter = state.enter;
    document.title = `${state.title} · ${page.dataset.called}`;
  }

  // Who has chosen the next game stands at the foot of the page.
  function toBoard() {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    page.scrollIntoView({ behavior: isCalm ? "auto" : "smooth" });
    byId("sheet").focus({ preventScroll: true });
  }

  let call = state.call;
  onState((fresh) => {
    if (String(fresh.box) !== String(state.box)) {
      turnOver(); // another game, on another part of the board
      return;
    }
    if (fresh.moment !== state.moment) {
      number = "";
      for (const key of tap.querySelectorAll("[name=die]:checked")) if (key.value !== "why") key.checked = false;
    }
    const isNewGame = state.phase === "begin" && fresh.phase !== "begin";
    state = fresh;
    label();
    if (isNewGame) toBoard();
    if (state.call && state.call !== call && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 60, 120]);
    call = state.call;
  });

  // Purists want no hints ---------------------------------------------------------------------------

  const hints = byId("hints");
  const box = hints.querySelector("input");
  try {
    box.checked = localStorage.getItem("dizzle.hints") !== "no";
  } catch {
    // private mode: forgotten sooner
  }
  const showHints = () => page.classList.toggle("no-hints", !box.checked);
  box.addEventListener("change", () => {
    try {
      localStorage.setItem("dizzle.hints", box.checked ? "yes" : "no");
    } catch {
      // the same
    }
    showHints();
  });
  hints.hidden = false;
  showHints();
  label();
  addEventListener("pageshow", (event) => event.persisted && refresh(true));
})();
