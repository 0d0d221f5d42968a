// What the page shows is what the server last said, with the edits on top that it does not know of
// yet. Those wait in localStorage, each page's by itself: closing the browser loses nothing, and the
// next page sends what was left. An edit that two pages send counts once, by its id.
"use strict";

(() => {
  const page = document.getElementById("workshop");
  if (!page) return;
  const words = JSON.parse(document.getElementById("words").textContent);
  const { key, actsUrl, stateUrl } = page.dataset;
  const token = page.querySelector("[name=csrfmiddlewaretoken]").value;
  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
  const outboxes = `dizzle.workshop.${key}.`;
  const outboxName = outboxes + newId();
  const TOGETHER = 50;
  const shortId = () => newId().slice(0, 12);

  const store = (name, value) => {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // private mode or full: the page still works, it only forgets sooner
    }
  };
  const load = (name, fallback) => {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? fallback;
    } catch {
      return fallback;
    }
  };
  Object.assign(workshop, { page, words, store, load });

  // This window, also after a reload: an undo says so if it takes back what another one did.
  let pageId = shortId();
  try {
    pageId = sessionStorage.getItem("dizzle.workshop.page") ?? pageId;
    sessionStorage.setItem("dizzle.workshop.page", pageId);
  } catch {
    // private mode: then a reload makes another window of it
  }
  // What is typed into one input without leaving it, or painted in one stroke, is one step to be
  // taken back.
  const TYPED = "textarea, input:not([type=checkbox], [type=radio], [type=file])";
  let entry = "";
  workshop.beginEntry = () => (entry = shortId());
  workshop.endEntry = () => (entry = document.activeElement?.matches(TYPED) ? shortId() : "");
  page.addEventListener("focusin", (event) => {
    if (event.target.matches(TYPED)) entry ||= shortId();
  });
  page.addEventListener("focusout", (event) => {
    if (event.target.matches(TYPED)) entry = "";
  });

  let known = JSON.parse(document.getElementById("state").textContent);
  let outbox = [];
  const saveOutbox = () => store(outboxName, outbox.length ? outbox : null);
  function adopt() {
    let left = [];
    try {
      left = Object.keys(localStorage).filter((name) => name.startsWith(outboxes));
    } catch {
      return;
    }
    outbox = left.flatMap((name) => load(name, []));
    saveOutbox();
    for (const name of left) store(name, null);
  }
  adopt();
  const listeners = [];
  const tell = (isFromServer) => listeners.forEach((listener) => listener(isFromServer));

  workshop.known = () => known;
  workshop.draft = () => workshop.applyActs(known.document, outbox);
  // What has been compared with the paper, each thing as it looked then.
  workshop.compared = () => {
    const compared = new Set(known.compared);
    for (const act of outbox) {
      if (act.do === "compare") compared[act.on ? "add" : "delete"](act.thing);
    }
    return compared;
  };
  workshop.onChange = (listener) => listeners.push(listener);

  workshop.act = (...acts) => {
    if (acts.length) workshop.told("");
    outbox = [...outbox, ...acts.map((act) => ({ ...act, id: newId(), page: pageId, entry }))];
    saveOutbox();
    tell(false);
    send();
  };

  let isSending = false;
  // Withdrawn or deleted, or the page has grown too old to be believed: nothing can be saved any more.
  let isLost = false;
  let retry;
  let wait = 1000;
  let most = TOGETHER;
  let held = ""; // why the server can store nothing just now, in its words
  function showHeld(sentence) {
    const isOver = held && !sentence;
    held = sentence;
    if (held || isOver) workshop.say(held);
  }

  async function send() {
    clearTimeout(retry);
    const acts = outbox.slice(0, most);
    if (isSending || isLost || !acts.length) return;
    isSending = true;
    let next = 0;
    try {
      const answer = await fetch(actsUrl, {
        method: "POST",
        body: JSON.stringify({ acts }),
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        signal: AbortSignal.timeout?.(20000),
      });
      const cannotStore = answer.status === 503 && (await answer.json().catch(() => null));
      showHeld(cannotStore?.sentence ?? "");
      const isBad = answer.status === 400;
      isLost = answer.status === 404 || answer.status === 403;
      if (!answer.ok && answer.status !== 409 && !isBad && !isLost) throw new Error(String(answer.status));
      wait = 1000;
      if (isBad && acts.length > 1) {
        most = 1; // one of them is broken: it must not take the others with it
      } else if (!isLost) {
        const done = new Set(acts.map((act) => act.id));
        const state = isBad ? null : await answer.json();
        outbox = outbox.filter((act) => !done.has(act.id));
        saveOutbox();
        if (state && state.revision >= known.revision) known = state;
        if (state?.refusal) workshop.say(state.refusal);
        if (state?.told) workshop.told(state.told);
        if (!outbox.length) most = TOGETHER;
      }
    } catch {
      next = wait;
      wait = Math.min(wait * 2, 15000);
    }
    isSending = false;
    tell(true);
    if (outbox.length && !isLost) retry = setTimeout(send, next);
  }

  // On a phone what is said lies over the page: it goes by itself there, and a tap reaches through it.
  const isNarrow = matchMedia("(max-width: 59.99rem)");
  const LONG_ENOUGH = 9000;
  function sayIn(element, goes) {
    let quiet;
    return (sentence) => {
      clearTimeout(quiet);
      if (element.textContent !== sentence) element.textContent = sentence;
      element.hidden = !sentence;
      if (sentence && goes()) quiet = setTimeout(() => (element.hidden = true), LONG_ENOUGH);
    };
  }
  workshop.say = sayIn(document.getElementById("refusal"), () => !held);
  // What was taken back, or is gone; until somebody goes on.
  workshop.told = sayIn(document.getElementById("told"), () => isNarrow.matches);

  // Other pages of the same level, here and elsewhere.
  async function look() {
    if (document.hidden || outbox.length || isLost) return;
    try {
      const answer = await fetch(`${stateUrl}${known.revision}`);
      if (answer.status === 200) {
        const state = await answer.json();
        if (state.revision > known.revision && !outbox.length) {
          known = state;
          tell(true);
        }
      } else if (answer.status === 404) {
        isLost = true;
        tell(true);
      }
    } catch {
      // no network: the next look will tell
    }
  }
  setInterval(look, 7000);
  const wake = () => {
    wait = 1000;
    send();
    look();
  };
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => document.hidden || wake());

  const saving = document.getElementById("saving");
  let slow;
  function showSaving(sentence, isLate) {
    saving.textContent = sentence;
    saving.toggleAttribute("data-late", isLate);
  }
  workshop.onChange(() => {
    clearTimeout(slow);
    if (isLost) showSaving(outbox.length ? words.say.unsaved : words.say.lost, true);
    else if (!outbox.length) showSaving(known.revision ? words.say.saved : "", false);
    else slow = setTimeout(() => showSaving(words.say.waiting, true), 400);
    saving.classList.toggle("waiting", Boolean(outbox.length));
    document.getElementById("undo").setAttribute("aria-disabled", String(!known.canUndo && !outbox.length));
    // An edit on its way ends what could be made again, an undo on its way begins it.
    const isHistory = outbox.every((act) => act.do === "undo" || act.do === "redo");
    const hasRedo = isHistory && (known.canRedo || outbox.some((act) => act.do === "undo"));
    document.getElementById("redo").setAttribute("aria-disabled", String(!hasRedo));
  });

  for (const what of ["undo", "redo"]) {
    document.getElementById(what).addEventListener("click", (event) => {
      if (event.currentTarget.getAttribute("aria-disabled") !== "true") workshop.act({ do: what });
    });
  }
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
    const undo = event.key === "z" && !event.shiftKey;
    const redo = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey);
    if (!undo && !redo) return;
    event.preventDefault();
    document.getElementById(undo ? "undo" : "redo").click();
  });

  // The home page shows what this device has seen last.
  const recent = load("dizzle.recent", []).filter((entry) => !entry.url.includes(key));
  store("dizzle.recent", [{ url: location.pathname, title: page.dataset.title, when: new Date().toISOString() }, ...recent].slice(0, 8));
})();
