// Keeps a page at its table's truth. The server only ever says "revision N"; the page then fetches
// what it shows and swaps it in place, so that focus, scroll and what is being typed stay.
"use strict";

(() => {
  const page = document.getElementById("table");
  if (!page) return;
  const connection = document.getElementById("connection");
  const listeners = [];
  const POLL_MS = 10000; // where streams do not pass
  const SILENCE_MS = 8000; // a stream that lives says something every 5 seconds
  let revision = Number(page.dataset.revision);
  let query = location.search;
  let stream = null;
  let isOpen = false;
  let lastAnswer = Date.now();

  // Swapping in place ------------------------------------------------------------------------------

  const keyOf = (node) => node.id || node.dataset?.key || "";
  const isSame = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

  function morph(from, to) {
    if (from.nodeType !== Node.ELEMENT_NODE) {
      if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
      return;
    }
    for (const { name } of [...from.attributes]) {
      const isFolded = name === "open" && from.nodeName === "DETAILS";
      if (!to.hasAttribute(name) && !isFolded) from.removeAttribute(name);
    }
    for (const { name, value } of [...to.attributes]) {
      if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    }
    if (from.dataset && "keep" in from.dataset) return;
    let cursor = from.firstChild;
    for (const child of [...to.childNodes]) {
      const key = keyOf(child);
      const known = key
        ? [...from.childNodes].find((node) => isSame(node, child))
        : cursor && isSame(cursor, child) && cursor;
      if (known) {
        if (known !== cursor) from.insertBefore(known, cursor);
        morph(known, child);
        cursor = known.nextSibling;
      } else from.insertBefore(child, cursor);
    }
    while (cursor) {
      const next = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
  }

  function swap(id, html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const old = document.getElementById(id);
    const fresh = holder.content.getElementById(id);
    if (old && fresh) morph(old, fresh);
  }

  // What had the focus may be gone: then what was around it has it, or the sheet, or the page.
  function swapAll(parts) {
    const around = [];
    for (let node = document.activeElement; node; node = node.parentElement) around.push(node);
    for (const [id, html] of Object.entries(parts)) swap(id, html);
    if (!around[0] || around[0].isConnected) return;
    const kept = around.find((node) => node.isConnected && node.hasAttribute("tabindex"));
    if (kept?.id === "main") document.getElementById("sheet")?.focus({ preventScroll: true });
    if (document.activeElement === document.body) kept?.focus({ preventScroll: true });
  }

  // Focus over a new page --------------------------------------------------------------------------

  const placeName = "dizzle.place";
  function keepPlace(id) {
    try {
      sessionStorage.setItem(placeName, id);
    } catch {
      // private mode: the new page is read from its top
    }
  }
  function takePlace() {
    try {
      const id = sessionStorage.getItem(placeName);
      sessionStorage.removeItem(placeName);
      if (id) (document.getElementById(id) ?? document.getElementById("main")).focus({ preventScroll: true });
    } catch {
      // the same
    }
  }
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.closest("#_lobby")) keepPlace(form.closest(".seat")?.id ?? "sheet");
  });

  // Another stage is another page, and a page is read from its top.
  function turnOver() {
    keepPlace("sheet");
    history.scrollRestoration = "manual";
    scrollTo(0, 0);
    location.reload();
  }
  addEventListener("load", () => (history.scrollRestoration = "auto"));

  // The truth --------------------------------------------------------------------------------------

  function take(state) {
    if (state.revision < revision) return; // an older answer that was overtaken
    // The last pass is told on the sheet before anybody goes on to the results.
    const isOver = state.stage === "over" && page.dataset.stage === "play";
    if (state.stage !== page.dataset.stage && !isOver) {
      turnOver();
      return;
    }
    if (isOver !== page.hasAttribute("data-over")) {
      page.toggleAttribute("data-over", isOver);
      dispatchEvent(new Event("table:over"));
    }
    revision = state.revision;
    swapAll(state.parts);
    for (const listener of listeners) listener(state);
  }

  // What was on its way when the network went, or when the phone was locked, may never be answered:
  // it is given up when they are back, and asked or sent again.
  let onItsWay = new AbortController();
  function patience(ms) {
    const patient = new AbortController();
    setTimeout(() => patient.abort(), ms);
    onItsWay.signal.addEventListener("abort", () => patient.abort());
    return patient.signal;
  }

  let isAsking = false;
  let isWanted = false;
  let isAgain = false;

  async function refresh(isForced = false) {
    isWanted = isWanted || isForced;
    if (isAsking) {
      isWanted = true;
      return;
    }
    isAsking = true;
    try {
      do {
        const asked = query;
        const known = isWanted ? "" : revision;
        isWanted = false;
        const url = new URL(page.dataset.now, location);
        url.search = asked;
        if (known !== "") url.searchParams.set("known", known);
        const answer = await fetch(url, { signal: patience(8000) });
        if (answer.status === 404) location.reload();
        else if (![200, 204].includes(answer.status)) throw new Error(String(answer.status));
        heard();
        if (answer.status === 200) {
          const state = await answer.json();
          if (asked === query) take(state);
          else isWanted = true;
        }
      } while (isWanted);
    } catch {
      lost();
    }
    isAsking = false;
    if (isAgain) {
      isAgain = false;
      refresh(true);
    }
  }

  // Being connected, and what is tapped being stored ------------------------------------------------

  const NOT_CONNECTED = connection.textContent;
  let isLost = false;
  let held = ""; // why the server can store nothing, in its words

  function showTrouble() {
    const sentence = held || NOT_CONNECTED;
    if (connection.textContent !== sentence) connection.textContent = sentence;
    connection.hidden = !isLost && !held;
  }

  function heard() {
    lastAnswer = Date.now();
    if (!isLost) return;
    isLost = false;
    showTrouble();
    dispatchEvent(new Event("table:back"));
  }

  function lost() {
    if (document.hidden) return;
    isLost = true;
    showTrouble();
  }

  // Whether an act is to be kept and sent again: because nothing could be stored, which is said, or
  // because the server broke.
  async function isKept(answer) {
    if (answer.status < 500) {
      hold("");
      return false;
    }
    const said = answer.status === 503 && (await answer.json().catch(() => null));
    if (!said?.sentence) throw new Error(String(answer.status));
    hold(said.sentence);
    return true;
  }

  function hold(sentence) {
    held = sentence;
    showTrouble();
  }

  function open() {
    close();
    if (!window.EventSource) return;
    stream = new EventSource(page.dataset.live);
    stream.addEventListener("open", () => {
      isOpen = true;
      heard();
    });
    stream.addEventListener("revision", (event) => {
      heard();
      if (Number(event.data) !== revision) refresh();
    });
    stream.addEventListener("error", () => {
      isOpen = false;
      refresh();
      if (stream?.readyState === EventSource.CLOSED) stream = null;
    });
  }

  function close() {
    stream?.close();
    stream = null;
    isOpen = false;
  }

  setInterval(() => {
    if (document.hidden) return;
    if (isLost) refresh();
    else if (isOpen && Date.now() - lastAnswer > SILENCE_MS) {
      lost();
      open();
      refresh();
    } else if (!isOpen && Date.now() - lastAnswer > POLL_MS) refresh();
    if (!stream) open();
  }, 1500);

  function wake() {
    isAgain = isAsking;
    onItsWay.abort();
    onItsWay = new AbortController();
    if (!isAgain) refresh(true);
    open();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : wake()));
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("pagehide", close);
  addEventListener("online", wake);
  addEventListener("offline", () => {
    close();
    lost();
  });

  window.dizzle = {
    page,
    revision: () => revision,
    take,
    refresh,
    heard,
    lost,
    hold,
    isKept,
    turnOver,
    patience,
    query: () => query,
    pin: (search) => (query = search),
    onState: (listener) => listeners.push(listener),
    look(search) {
      query = search;
      history.replaceState(null, "", search || location.pathname);
      return refresh(true);
    },
  };
  if (!document.hidden) open();
  takePlace();
})();
