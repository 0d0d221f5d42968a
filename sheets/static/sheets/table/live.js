// Keeps #table up to date. A stream sends the fragments of the page that have changed, or only "revision N", and
// then the page fetches them from its own address. They are morphed, so that focus, scroll and what is being typed stay.
import { csrfToken } from "../lib/outbox.js";
import { abortAfter } from "../lib/request_timeout.js";
import { deviceStore } from "../lib/store.js";
import { swapAll } from "../lib/swap.js";
import { takeFocus, reloadAtTop } from "./kept_focus.js";

const SILENCE_MS = 8000; // the server sends a heartbeat every 5 seconds; after this time the page polls

export const page = document.getElementById("table");

let revision = Number(page.dataset.revision);
let state = JSON.parse(document.getElementById("state")?.textContent ?? "null");

// Query of the address: the sheet shown, or the field asked about.
let search = location.search;
export const query = () => search;

// The server's last state; null on pages that get only parts.
export const latestState = () => state;

const listeners = [];
// Call a listener with each new state and the one before.
export const onState = (listener) => listeners.push(listener);

// Stored last state, for a page from the service worker's cache, which has the state at its opening.
const SEEN = "dizzle.seen";
let seen = null;
const keepSeen = () => seen && deviceStore.write(SEEN, seen);

function takeSeen() {
  const kept = deviceStore.read(SEEN);
  const isMeant = kept && kept.code === page.dataset.code && kept.stage === page.dataset.stage && kept.seat === state?.seat;
  if (isMeant && document.querySelector(".from-memory")) applyState(kept);
}

// Server state -----------------------------------------------------------------------------------

// Parse the server's fragments: the script element #state with data, and parts of the page. Returns null for other HTML.
export function readState(html) {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  const [data, ...parts] = content.children;
  if (data?.id !== "state") return null;
  return { ...JSON.parse(data.textContent), parts: Object.fromEntries(parts.map((part) => [part.id, part.outerHTML])) };
}

export function applyState(fresh) {
  if (fresh.revision < revision) return; // outdated answer
  // The end of the last pass is played on the sheet before the results.
  const isOver = fresh.stage === "over" && page.dataset.stage === "play";
  const hasSeatNow = state?.seat === null && fresh.seat !== null; // a visitor got a seat back
  if ((fresh.stage !== page.dataset.stage && !isOver) || hasSeatNow) {
    reloadAtTop();
    return;
  }
  if (isOver !== page.hasAttribute("data-over")) {
    page.toggleAttribute("data-over", isOver);
    dispatchEvent(new Event("table:over"));
  }
  revision = fresh.revision;
  seen = { ...fresh, code: page.dataset.code };
  swapAll(fresh.parts);
  document.dispatchEvent(new Event("scored"));
  const before = state;
  state = fresh;
  for (const listener of listeners) listener(fresh, before);
  page.dataset.revision = revision;
}

// Requests from before a network loss or a phone lock may never be answered: `wake` aborts and repeats them.
let onItsWay = new AbortController();
export function requestSignal(ms) {
  const patient = new AbortController();
  onItsWay.signal.addEventListener("abort", () => patient.abort(), { signal: patient.signal });
  return abortAfter(ms, patient);
}

let isAsking = false;
let isWanted = false; // fetch the state even if its revision is known
let isAgain = false;

// Fetch the state if there is a newer revision; `isForced` fetches it in any case.
export async function refresh(isForced = false) {
  isWanted ||= isForced || isAsking;
  if (isAsking) return;
  isAsking = true;
  let isWhole = false;
  try {
    do {
      const asked = search;
      isWhole = isWanted;
      isWanted = false;
      const url = new URL(page.dataset.url, location);
      for (const [name, value] of new URLSearchParams(asked)) url.searchParams.set(name, value);
      if (!isWhole) url.searchParams.set("known", revision);
      const answer = await fetch(url, { headers: { "HX-Request": "true" }, signal: requestSignal(8000) });
      if (answer.status === 404) location.reload();
      else if (![200, 204].includes(answer.status)) throw answer.status;
      const text = await answer.text();
      const fresh = readState(text);
      if (text.includes('id="table"')) location.reload(); // another release of the site returned the whole page
      else if (answer.status === 200 && !fresh) throw answer.status; // from a captive portal
      markConnected();
      if (fresh) {
        // Outside of `try`: an error while drawing is no network fault.
        if (asked === search) queueMicrotask(() => applyState(fresh));
        else isWanted = true;
      }
    } while (isWanted);
  } catch {
    isWanted ||= isWhole;
    markDisconnected();
  }
  isAsking = false;
  if (isAgain) {
    isAgain = false;
    refresh(true);
  }
}

// Keep showing this sheet, whichever player is to act.
export const pinView = (wanted) => (search = wanted);

// Show another sheet, or the answer about a field.
export function showView(wanted) {
  search = wanted;
  history.replaceState(null, "", wanted || location.pathname);
  return refresh(true);
}

// Connection and storage notice --------------------------------------------------------------------

const connection = document.getElementById("connection");
const NOT_CONNECTED = connection.textContent;
let lastAnswer = Date.now();
let isLost = false;
let held = ""; // the server's reason why it can store nothing
let waiting = ""; // unsent acts, as a sentence

function showTrouble() {
  const sentence = [held || NOT_CONNECTED, waiting].filter(Boolean).join(" ");
  if (connection.textContent !== sentence) connection.textContent = sentence;
  connection.hidden = !isLost && !held;
}

export function markConnected() {
  lastAnswer = Date.now();
  if (!isLost) return;
  isLost = false;
  showTrouble();
  dispatchEvent(new Event("table:back"));
}

export function markDisconnected() {
  if (document.hidden) return;
  if (!isLost) keepSeen();
  isLost = true;
  showTrouble();
}

export function setUnsent(sentence) {
  waiting = sentence;
  showTrouble();
}

export function setStorageFault(sentence) {
  held = sentence;
  showTrouble();
}

// The stream -------------------------------------------------------------------------------------

// Coalesce states that arrive faster than the phone can draw: only the newest is shown.
let news = null;
function takeSoon(fresh) {
  if (!news) setTimeout(showNews);
  news = fresh;
}

function showNews() {
  const newest = news;
  news = null;
  if (newest.shows !== search) refresh(true);
  else if (newest.revision !== revision) applyState(newest);
}

let stream = null;
const isOpen = () => stream?.readyState === 1;

function open() {
  close();
  const url = new URL(page.dataset.live, location);
  if (state) url.searchParams.set("shows", search); // other pages get only parts
  stream = new EventSource(url);
  let parts = {}; // each connection sends all parts first, then changed ones
  stream.addEventListener("open", () => {
    parts = {};
    markConnected();
  });
  stream.addEventListener("revision", (event) => {
    markConnected();
    if (Number(event.data) !== revision) refresh();
  });
  stream.addEventListener("fragments", (event) => {
    markConnected();
    const fresh = readState(event.data);
    parts = fresh.parts = { ...parts, ...fresh.parts };
    if (fresh.shows === search) takeSoon(fresh);
    else {
      refresh();
      open(); // another view is shown by now
    }
  });
  stream.addEventListener("error", () => {
    refresh();
    if (stream?.readyState === EventSource.CLOSED) stream = null;
  });
}

function close() {
  stream?.close();
  stream = null;
}

setInterval(() => {
  if (document.hidden) return;
  if (isLost) refresh();
  else if (Date.now() - lastAnswer > SILENCE_MS) {
    if (isOpen()) {
      markDisconnected();
      open();
    }
    refresh();
  }
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
document.addEventListener("visibilitychange", keepSeen);
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("pagehide", close);
addEventListener("online", wake);
addEventListener("offline", () => {
  close();
  markDisconnected();
});

// Parts that scripts have swapped in have no CSRF csrfToken.
addEventListener("submit", ({ target }) => {
  if (target.method !== "post" || target.elements.csrfmiddlewaretoken) return;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value: csrfToken() });
  target.append(field);
});

// After all modules have called `pinView`.
queueMicrotask(() => {
  takeSeen();
  if (!document.hidden) open();
});
takeFocus();
