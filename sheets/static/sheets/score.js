// A tap shows its mark at once and is sent when the network lets it. What the page shows is always
// what the server last said with the acts on top that it does not know of yet (the outbox).
// The outbox lives in localStorage: closing the browser loses nothing, and all tabs share it.
// Needs `deviceStore` of score_pages.js.
"use strict";

(() => {
  const page = document.getElementById("scoring");
  if (!page) return;

  // The outbox -----------------------------------------------------------------------------------

  const { key, actsUrl, stateUrl } = page.dataset;
  const number = Number(page.dataset.number ?? 0);
  const canEdit = "canEdit" in page.dataset;
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  const outboxName = `dizzle.outbox.${key}`;
  let spare = null; // the outbox while the device can store nothing
  const outbox = () => spare ?? deviceStore.read(outboxName, []);
  const setOutbox = (acts) => {
    const isKept = acts.length ? deviceStore.write(outboxName, acts) : deviceStore.forget(outboxName);
    spare = isKept ? null : acts;
  };
  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  let isSending = false;
  let retry;
  let wait = 1000;
  let most = 50; // acts in one request
  let held = ""; // why the server can store nothing just now, in its words
  let showHeld = () => {};

  // Send what waits, in its order; `done` gets the answer once it is known to have arrived.
  async function send(done) {
    clearTimeout(retry);
    const acts = outbox().slice(0, most);
    if (isSending || !acts.length || !canEdit) return;
    isSending = true;
    let next = 0;
    try {
      const answer = await fetch(actsUrl, {
        method: "POST",
        body: JSON.stringify({ acts, shown: number }),
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        signal: AbortSignal.timeout?.(20000),
      });
      const cannotStore = answer.status === 503 && (await answer.json().catch(() => null));
      held = cannotStore?.sentence ?? "";
      const isLost = answer.status === 404;
      const isBad = answer.status === 400;
      if (!answer.ok && answer.status !== 409 && !isLost && !isBad) throw new Error(String(answer.status));
      wait = 1000;
      if (isBad && acts.length > 1) {
        most = 1; // one of them is broken: it must not take the others with it
      } else {
        // Read to its end before the acts are let go: a tap meanwhile goes by what they have changed.
        const state = isLost || isBad ? { gone: isLost } : await answer.json();
        const sent = new Set(acts.map((act) => act.id));
        setOutbox(isLost ? [] : outbox().filter((act) => !sent.has(act.id)));
        done(state);
      }
    } catch {
      next = wait;
      wait = Math.min(wait * 2, 15000);
    }
    isSending = false;
    showHeld();
    if (outbox().length) retry = setTimeout(() => send(done), next);
  }

  // The results must not be read before the last taps have arrived, from here or elsewhere. An empty
  // outbox does not prove that they were in time for this page: its revision does.
  if (!stateUrl) {
    const { newsUrl, revision } = page.dataset;
    const catchUp = async () => {
      if (document.hidden || outbox().length) return;
      try {
        const answer = await fetch(newsUrl);
        if (answer.ok && String((await answer.json()).revision) !== revision) location.reload();
      } catch {
        // no network: the next look will tell
      }
    };
    const wake = () => {
      const waiting = document.getElementById("waiting");
      if (waiting) waiting.hidden = !outbox().length;
      send(catchUp);
      catchUp();
    };
    setInterval(catchUp, 7000);
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    document.addEventListener("visibilitychange", () => document.hidden || wake());
    return;
  }

  const words = JSON.parse(page.dataset.words);
  const tap = document.getElementById("tap");
  const buttons = new Map();
  for (const button of document.querySelectorAll(".sheet-grid button")) {
    buttons.set(button.dataset.at, button);
  }
  const byId = (id) => document.getElementById(id);

  // What is known --------------------------------------------------------------------------------

  let known = {
    revision: Number(page.dataset.revision),
    marks: JSON.parse(byId("marks").textContent),
    ...JSON.parse(byId("history").textContent),
  };

  function shown() {
    const marks = { ...known.marks };
    const undo = [...(known.undo ?? [])];
    const redo = [...(known.redo ?? [])];
    const put = (steps, which) => {
      for (const step of steps) {
        if (step[which]) marks[step[0]] = step[which];
        else delete marks[step[0]];
      }
    };
    for (const act of outbox()) {
      if (act.number !== number) continue;
      if (act.do === "mark") {
        const step = [act.at, marks[act.at] ?? "", act.value];
        put([step], 2);
        undo.push([step]);
        redo.length = 0;
      } else if (act.do === "undo" && undo.length) {
        const steps = undo.pop();
        put(steps, 1);
        redo.push(steps);
      } else if (act.do === "redo" && redo.length) {
        const steps = redo.pop();
        put(steps, 2);
        undo.push(steps);
      }
    }
    return { marks, undo, redo };
  }

  // Drawing --------------------------------------------------------------------------------------

  const drawn = new Map(Object.entries(known.marks));
  const use = (id) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "use");
    element.setAttribute("href", `#art-${id}`);
    element.setAttribute("width", "100");
    element.setAttribute("height", "100");
    return element;
  };

  function drawField(at, value) {
    const button = buttons.get(at);
    if (!button || button.dataset.kind === "printed") return;
    const ids = { cross: button.dataset.cross, exploded: button.dataset.scribble };
    const layers = { under: [], over: [], top: [] };
    for (const word of value.split("-").filter(Boolean)) {
      const layer = { lava: "under", exploded: "top" }[word] ?? "over";
      layers[layer].push(use(ids[word] ?? (word === "lava" ? "lava" : `track-${word}`)));
    }
    const drawing = document.querySelector(`[data-field="${at}"]`);
    for (const [layer, marks] of Object.entries(layers)) {
      drawing.querySelector(`.${layer}`).replaceChildren(...marks);
    }
    drawing.classList.toggle("fresh", Boolean(value));
    button.setAttribute("aria-label", `${button.dataset.label}, ${words[value]}`);
  }

  function drawLocks(marks) {
    const open = new Set();
    for (const button of document.querySelectorAll("[data-key][data-at]")) {
      const value = marks[button.dataset.at] ?? "";
      const isCrossed = button.dataset.kind === "printed" || (value && !/exploded|lava/.test(value));
      if (isCrossed) open.add(button.dataset.key);
    }
    for (const lock of document.querySelectorAll("[data-lock]")) {
      lock.toggleAttribute("data-open", open.has(lock.dataset.lock));
    }
  }

  function draw() {
    const now = shown();
    for (const at of new Set([...drawn.keys(), ...Object.keys(now.marks)])) {
      const value = now.marks[at] ?? "";
      if ((drawn.get(at) ?? "") !== value) {
        drawField(at, value);
        drawn.set(at, value);
      }
    }
    drawLocks(now.marks);
    drawNumbers(false);
    for (const name of ["undo", "redo"]) {
      const button = document.querySelector(`#turn-back [value=${name}]`);
      button?.setAttribute("aria-disabled", String(!now[name].length));
    }
    drawSaving();
  }

  // The questions for circled numbers (score_ask.js) leave out what has just been answered.
  function drawNumbers(mayAsk) {
    const acts = outbox();
    const answered = (sheet, at) =>
      acts.some((act) => act.number === sheet && act.at === at && act.value !== "");
    document.dispatchEvent(new CustomEvent("numbers", { detail: { answered, mayAsk } }));
  }

  function drawSaving() {
    const saving = byId("saving");
    if (!saving) return;
    const text = outbox().length ? page.dataset.waiting : "";
    // A word that comes and goes with every tap on a quick network would only flicker.
    clearTimeout(drawSaving.timer);
    if (!text) saving.textContent = "";
    else drawSaving.timer = setTimeout(() => (saving.textContent = outbox().length ? text : ""), 400);
  }

  function swap(html, id) {
    const focused = document.activeElement?.dataset?.key;
    const wasInside = byId(id).contains(document.activeElement);
    const isOpen = byId(id).querySelector("details")?.open;
    const scrolled = byId(id).scrollLeft;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    byId(id).replaceWith(holder.content);
    byId(id).scrollLeft = scrolled;
    if (isOpen) byId(id).querySelector("details")?.setAttribute("open", "");
    if (wasInside && focused) byId(id).querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  function take(state) {
    if (state.gone) {
      say(page.dataset.lost);
      return;
    }
    if (state.revision < known.revision) return; // an older answer that was overtaken
    const total = byId("total");
    if (state.revision > known.revision || !known.score) {
      swap(state.score, "_score");
      swap(state.tabs, "_tabs");
      if (byId("_ask")) swap(state.ask, "_ask");
      document.dispatchEvent(new Event("scored"));
      const words = `${page.dataset.total} ${String(state.total).replace("-", "−")}`;
      if (total && total.textContent.trim().replace(/\s+/g, " ") !== words) {
        total.querySelector(".for-ears").nextSibling.textContent = ` ${words.split(" ").pop()}`;
      }
    }
    known = state;
    draw();
  }

  let quiet;
  function say(sentence) {
    const refusal = byId("refusal");
    clearTimeout(quiet);
    if (refusal.textContent !== sentence) refusal.textContent = sentence;
    refusal.hidden = !sentence;
    // What cannot be stored yet is said until it is.
    if (sentence && sentence !== held) quiet = setTimeout(() => (refusal.hidden = true), 8000);
  }

  let said = "";
  showHeld = () => {
    if (held || said) say(held);
    said = held;
  };

  function act(what) {
    setOutbox([...outbox(), { id: newId(), number, ...what }]);
    draw();
    send(arrived);
  }

  function arrived(state) {
    if (state.refusal) say(state.refusal);
    if (state.gone || state.marks) take(state);
    draw();
    drawNumbers(true);
  }

  // Other devices --------------------------------------------------------------------------------

  async function look() {
    if (document.hidden) return;
    try {
      const answer = await fetch(`${stateUrl}?revision=${known.revision}`);
      if (answer.status === 200) take(await answer.json());
      else if (answer.status === 404) say(page.dataset.lost);
    } catch {
      // no network: the next look will tell
    }
  }
  setInterval(look, 7000);
  const wake = () => {
    wait = 1000;
    send(arrived);
    look();
  };
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  addEventListener("storage", (event) => event.key === outboxName && draw());

  // Tapping --------------------------------------------------------------------------------------

  // The pen stays in the hand from sheet to sheet, as long as this device knows the document.
  const pen = byId("pen");
  const penName = `dizzle.pen.${key}`;
  function takePen(isLava) {
    pen.setAttribute("aria-pressed", String(isLava));
    tap.elements.pen.value = isLava ? "lava" : "cross";
  }
  if (pen && deviceStore.read(penName, "cross") === "lava") takePen(true);
  pen?.addEventListener("click", (event) => {
    event.preventDefault();
    takePen(pen.getAttribute("aria-pressed") !== "true");
    if (tap.elements.pen.value === "lava") deviceStore.write(penName, "lava");
    else deviceStore.forget(penName);
  });
  pen?.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      pen.click();
    }
  });

  function nextValue(kind, value) {
    const isBomb = kind === "bomb" && !("solo" in page.dataset);
    const isLava = tap.elements.pen.value === "lava";
    if (isLava && value === "cross") return null; // a cross is taken away before lava can flow there
    if (isLava && value === "exploded") return "exploded-lava";
    const cycle = isLava ? ["lava"] : ["cross"];
    if (isBomb) cycle.push(isLava ? "exploded-lava" : "exploded");
    return [...cycle, ""][cycle.indexOf(value) + 1];
  }

  tap?.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (!button) return;
    const { at, kind } = button.dataset;
    if ("rails" in page.dataset) openPieces(button);
    else {
      const value = nextValue(kind, shown().marks[at] ?? "");
      if (value === null) say(page.dataset.noLava);
      else act({ do: "mark", at, value });
    }
  });

  byId("turn-back")?.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.getAttribute("aria-disabled") !== "true") act({ do: event.submitter.value });
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".circle")) return;
    event.preventDefault();
    const form = event.target;
    const sheet = Number(form.dataset.number);
    act({ do: "mark", number: sheet, at: form.elements.at.value, value: event.submitter.value });
  });

  // Rails: the piece that joins most of its neighbours comes first.
  const pieces = byId("pieces");
  const opposite = { N: "S", S: "N", E: "W", W: "E" };
  function openPieces(button) {
    const marks = shown().marks;
    const beyond = JSON.parse(button.dataset.beyond);
    const joined = Object.keys(beyond).filter((edge) => {
      const track = buttons.get(beyond[edge])?.dataset.track ?? marks[beyond[edge]] ?? "";
      return track.includes(opposite[edge]);
    });
    const row = pieces.querySelector(".piece-row");
    const fit = (piece) => joined.filter((edge) => piece.value.includes(edge)).length;
    const leadsNowhere = (piece) => Number([...piece.value].some((edge) => !(edge in beyond)));
    const order = ["NS", "EW", "NE", "ES", "SW", "NW"];
    const sorted = [...row.children].sort(
      (a, b) =>
        leadsNowhere(a) - leadsNowhere(b) || fit(b) - fit(a) || order.indexOf(a.value) - order.indexOf(b.value),
    );
    row.append(...sorted);
    pieces.querySelector("[name=at]").value = button.dataset.at;
    byId("pieces-at").textContent = button.dataset.at;
    pieces.removeAttribute("open");
    pieces.showModal();
    sorted[0].focus();
  }
  pieces?.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = event.target.elements.at.value;
    pieces.close();
    act({ do: "mark", at, value: event.submitter.value });
    buttons.get(at)?.focus();
  });
  byId("pieces-close")?.addEventListener("click", (event) => {
    event.preventDefault();
    pieces.close();
  });
  pieces?.addEventListener("click", (event) => event.target === pieces && pieces.close());

  document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.addEventListener("DOMContentLoaded", () => drawNumbers(true)); // score_ask.js is there
  draw();
  send(arrived);
})();
