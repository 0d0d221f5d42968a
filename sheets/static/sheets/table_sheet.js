// My sheet at a table: a tap shows at once and is sent when the network lets it. What the page shows
// is always what the server last said with the acts on top that it does not know of yet.
"use strict";

(() => {
  const { page, take, heard, lost, hold, isKept, onState, look, patience, pin, query, refresh } = window.dizzle;
  const byId = (id) => document.getElementById(id);
  const words = JSON.parse(page.dataset.words);
  const tap = byId("tap");
  const buttons = new Map();
  for (const button of document.querySelectorAll(".sheet-grid button")) {
    buttons.set(button.dataset.at, button);
  }
  let state = JSON.parse(byId("state").textContent);

  const outboxName = `dizzle.table.${page.dataset.code}`;
  let spare = []; // the outbox where there is no storage
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(outboxName)) ?? spare;
    } catch {
      return spare;
    }
  };
  const write = (acts) => {
    spare = acts;
    try {
      sessionStorage.setItem(outboxName, JSON.stringify(acts));
    } catch {
      // private mode or full: the page still works, it only forgets sooner
    }
  };
  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  // A device with several seats stays at the one it shows, whoever is asked next.
  if (state.seat !== null && !query()) pin(`?seat=${state.seat}`);

  // Drawing ----------------------------------------------------------------------------------------

  const drawn = new Map();
  for (const [at, value] of Object.entries(state.marks[state.shown])) drawn.set(at, value);

  const use = (id) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "use");
    element.setAttribute("href", `#art-${id}`);
    element.setAttribute("width", "100");
    element.setAttribute("height", "100");
    return element;
  };

  function drawingOf(button, word) {
    if (word === "cross") return ["over", button.dataset.cross];
    if (word === "rocket") return ["over", "cross-rocket"];
    if (word === "exploded") return ["top", button.dataset.scribble];
    if (word === "lava") return ["under", "lava"];
    return word.startsWith("die-") ? ["top", word] : ["over", `track-${word}`];
  }

  function drawField(at, value) {
    const button = buttons.get(at);
    const marks = value.startsWith("die-") ? [value] : value.split("-").filter(Boolean);
    const layers = { under: [], over: [], top: [] };
    for (const word of marks) {
      const [layer, id] = drawingOf(button, word);
      layers[layer].push(use(id));
    }
    const drawing = document.querySelector(`[data-field="${at}"]`);
    for (const [layer, drawings] of Object.entries(layers)) {
      drawing.querySelector(`.${layer}`).replaceChildren(...drawings);
    }
    drawing.classList.toggle("fresh", Boolean(value));
  }

  function shownMarks() {
    const marks = { ...state.marks[state.shown] };
    for (const act of read()) {
      if (act.player !== state.shown || act.moment !== state.moment) continue;
      if (act.leaves) marks[act.at] = act.leaves;
      else if (act.leaves === "") delete marks[act.at];
    }
    return marks;
  }

  const isOnItsWay = (act) => act.moment === state.moment && act.player === state.seat;

  // What a tap on a field means is the server's word, also for a second tap before it has answered.
  function meant(at) {
    const before = read().filter((act) => isOnItsWay(act) && act.at === at && act.leaves !== undefined).pop();
    return (before && state.again[before.do]) || state.taps[at];
  }

  function draw() {
    const marks = shownMarks();
    const known = state.marks[state.shown];
    for (const at of new Set([...drawn.keys(), ...Object.keys(marks)])) {
      const value = marks[at] ?? "";
      if ((drawn.get(at) ?? "") === value) continue;
      drawField(at, value);
      drawn.set(at, value);
    }
    for (const [at, button] of buttons) {
      const hint = marks[at] && marks[at] !== known[at] ? "" : (state.hints[at] ?? "");
      if ((button.dataset.hint ?? "") !== hint) {
        if (hint) button.dataset.hint = hint;
        else delete button.dataset.hint;
      }
      const printed = "printed" in button.dataset ? "printed" : "";
      const says = [button.dataset.label, words[marks[at] ?? printed], words[hint]];
      const label = says.filter(Boolean).join(", ");
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      if (state.taps[at]) button.removeAttribute("aria-disabled");
      else button.setAttribute("aria-disabled", "true");
    }
    drawLocks();
    page.classList.toggle("is-owed", state.owes);
    document.title = `${state.title} · ${page.dataset.called}`;
  }

  function drawLocks() {
    for (const lock of document.querySelectorAll("[data-lock]")) {
      lock.toggleAttribute("data-open", state.opened[state.shown].includes(lock.dataset.lock));
    }
  }

  // Saying -----------------------------------------------------------------------------------------

  let quiet;
  function say({ sentence, url, at }) {
    const refusal = byId("refusal");
    clearTimeout(quiet);
    refusal.replaceChildren(sentence);
    if (url) {
      const link = document.createElement("a");
      link.href = url;
      link.textContent = page.dataset.why;
      refusal.append(" ", link);
    }
    refusal.hidden = false;
    quiet = setTimeout(() => (refusal.hidden = true), 9000);
    const field = document.querySelector(`[data-field="${at}"]`);
    if (!field) return;
    field.classList.remove("refused");
    field.getBoundingClientRect(); // so that a second shake begins anew
    field.classList.add("refused");
    setTimeout(() => field.classList.remove("refused"), 900);
  }

  // Sending ----------------------------------------------------------------------------------------

  let isSending = false;
  let retry;
  let wait = 1000;

  async function send() {
    clearTimeout(retry);
    const act = read()[0];
    if (isSending || !act) return;
    isSending = true;
    let next = 0;
    try {
      const { url, leaves: _shown, ...sent } = act;
      const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
      const target = new URL(url, location);
      const asked = query();
      target.search = asked;
      const answer = await fetch(target, {
        method: "POST",
        body: new URLSearchParams({ ...sent, csrfmiddlewaretoken }),
        headers: { Accept: "application/json" },
        signal: patience(15000),
      });
      if (await isKept(answer)) {
        next = wait;
        wait = Math.min(wait * 2, 5000);
      } else {
        const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
        const fresh = isJson ? await answer.json() : null;
        write(read().filter((other) => other.request !== act.request));
        wait = 1000;
        heard();
        if (fresh) {
          if (asked === query()) take(fresh);
          else refresh(true); // another sheet is shown by now
          if (fresh.refusal) say(fresh.refusal);
        } else location.reload(); // no seat any more, or something we do not know
      }
    } catch {
      hold("");
      lost();
      next = wait;
      wait = Math.min(wait * 2, 5000);
    }
    isSending = false;
    draw();
    if (read().length) retry = setTimeout(send, next);
  }

  function act(what) {
    byId("refusal").hidden = true;
    write([...read(), { request: newId(), ...what }]);
    draw();
    send();
  }

  addEventListener("table:back", send);
  addEventListener("online", send);

  const NERVOUS_MS = 300; // where a second tap takes a die back, one within this was none
  let lastTap = { at: "", when: 0 };
  function isNervous(at) {
    const when = performance.now();
    const isAgain = at === lastTap.at && when - lastTap.when < NERVOUS_MS;
    lastTap = { at, when };
    return isAgain;
  }

  tap.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = event.submitter?.dataset.at;
    const what = at && meant(at);
    if (!what || (state.again[what] && isNervous(at))) return;
    if (what === "track") {
      chooseTrack(at);
      return;
    }
    // Where one act follows from the other, a second tap of a nervous thumb means nothing.
    if (!state.again[what] && read().some(isOnItsWay)) return;
    act({ url: page.dataset.actUrl, do: what, player: state.seat, at, moment: state.moment, leaves: leaves(what, at) });
  });

  // What lies on the field after an act, to be shown at once: "" for nothing, undefined for what only
  // the server knows, such as whether a tap after one that is still on its way will hold.
  function leaves(what, at) {
    if (what === "return") return "";
    const isSure = state.hints[at] === "strong" || read().length > 0;
    return what === "place" && isSure && !shownMarks()[at] ? buttons.get(at).dataset.leaves : undefined;
  }

  function chooseTrack(at) {
    const search = new URLSearchParams(query());
    search.set("at", at);
    look(`?${search}`);
  }

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

  // Whose sheet ------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-person]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    look(link.getAttribute("href"));
  });

  onState((fresh) => {
    if (fresh.shown !== state.shown) byId("refusal").hidden = true;
    if (state.seat !== null && fresh.seat === null) say({ sentence: page.dataset.freed });
    state = fresh;
    showThrows();
    draw();
    send();
  });

  // The six keys -----------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-die], [data-back]");
    if (!key) return;
    const form = key.closest("form");
    const input = form.elements.dice;
    if (key.dataset.die) input.value += key.dataset.die;
    else input.value = input.value.slice(0, -1);
    showThrown(form);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest(".throw");
    if (form) showThrown(form);
  });

  function showThrown(form) {
    const input = form.elements.dice;
    const digits = input.value.replace(/[^1-6]/g, "").slice(0, Number(form.dataset.count));
    if (input.value !== digits) input.value = digits;
    form.querySelector(".thrown").replaceChildren(
      ...[...digits].map((digit) => {
        const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        drawing.setAttribute("viewBox", "0 0 100 100");
        drawing.setAttribute("class", "pic");
        drawing.append(use(`die-${digit}`));
        return drawing;
      }),
    );
    form.classList.toggle("is-full", digits.length === Number(form.dataset.count));
  }

  function showThrows() {
    for (const form of document.querySelectorAll(".throw")) {
      form.classList.add("scripted");
      showThrown(form);
    }
  }

  showThrows();
  draw();
  send();
})();
