// Keeps a table's page up to date. A stream sends the new state of the page, or only "revision N", and
// then the page fetches it. Parts are swapped in place, so that focus, scroll and what is being typed stay.
import { token } from "../lib/outbox.js";
import { deviceStore } from "../lib/store.js";
import { swapAll } from "../lib/swap.js";
import { takeFocus, reloadAtTop } from "./kept_focus.js";

const SILENCE_MS = 8000; // a stream that lives says something every 5 seconds; where none passes, the page asks

export const page = document.getElementById("table");

let revision = Number(page.dataset.revision);
let state = JSON.parse(document.getElementById("state")?.textContent ?? "null");

// The part of the address that says whose sheet is shown, or what somebody asks about.
let search = location.search;
export const query = () => search;

// What the server said last, on pages that are told more than their parts.
export const latest = () => state;

const listeners = [];
// Call this with the state and the one before it, whenever there is a new one.
export const onState = (listener) => listeners.push(listener);

// As it stood last, for a page that comes from memory: that one was kept when it was opened.
const SEEN = "dizzle.seen";
let seen = null;
const keepSeen = () => seen && deviceStore.write(SEEN, seen);

function takeSeen() {
  const kept = deviceStore.read(SEEN);
  const isMeant = kept && kept.code === page.dataset.code && kept.stage === page.dataset.stage && kept.seat === state?.seat;
  if (isMeant && document.querySelector(".from-memory")) take(kept);
}

// The truth --------------------------------------------------------------------------------------

export function take(fresh) {
  if (fresh.revision < revision) return; // an older answer that was overtaken
  // The last pass is told on the sheet before anybody goes on to the results.
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

// What was on its way when the network went, or when the phone was locked, may never be answered:
// it is given up when they are back, and asked or sent again.
let onItsWay = new AbortController();
export function patience(ms) {
  const patient = new AbortController();
  setTimeout(() => patient.abort(), ms);
  onItsWay.signal.addEventListener("abort", () => patient.abort(), { signal: patient.signal });
  return patient.signal;
}

let isAsking = false;
let isWanted = false; // the state is fetched although its revision may be known
let isAgain = false;

// Ask what there is to show; forced, also if nothing has happened since.
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
      const url = new URL(page.dataset.now, location);
      url.search = asked;
      if (!isWhole) url.searchParams.set("known", revision);
      const answer = await fetch(url, { signal: patience(8000) });
      if (answer.status === 404) location.reload();
      else if (![200, 204].includes(answer.status)) throw answer.status;
      heard();
      if (answer.status === 200) {
        const fresh = await answer.json();
        if (asked === search) take(fresh);
        else isWanted = true;
      }
    } while (isWanted);
  } catch {
    isWanted ||= isWhole;
    lost();
  }
  isAsking = false;
  if (isAgain) {
    isAgain = false;
    refresh(true);
  }
}

// Stay with a sheet, whoever is asked next.
export const pin = (wanted) => (search = wanted);

// Show another sheet, or what somebody asks about.
export function look(wanted) {
  search = wanted;
  history.replaceState(null, "", wanted || location.pathname);
  return refresh(true);
}

// Being connected, and what is tapped being stored -------------------------------------------------

const connection = document.getElementById("connection");
const NOT_CONNECTED = connection.textContent;
let lastAnswer = Date.now();
let isLost = false;
let held = ""; // why the server can store nothing, in its words
let waiting = ""; // what is to be sent when it can be

function showTrouble() {
  const sentence = [held || NOT_CONNECTED, waiting].filter(Boolean).join(" ");
  if (connection.textContent !== sentence) connection.textContent = sentence;
  connection.hidden = !isLost && !held;
}

export function heard() {
  lastAnswer = Date.now();
  if (!isLost) return;
  isLost = false;
  showTrouble();
  dispatchEvent(new Event("table:back"));
}

export function lost() {
  if (document.hidden) return;
  if (!isLost) keepSeen();
  isLost = true;
  showTrouble();
}

export function keepWaiting(sentence) {
  waiting = sentence;
  showTrouble();
}

export function hold(sentence) {
  held = sentence;
  showTrouble();
}

// The stream -------------------------------------------------------------------------------------

// States that come faster than a slow phone can show them: only the newest is shown.
let news = null;
function takeSoon(fresh) {
  if (!news) setTimeout(showNews);
  news = fresh;
}

function showNews() {
  const newest = news;
  news = null;
  if (newest.shows !== search) refresh(true);
  else if (newest.revision !== revision) take(newest);
}

let stream = null;
const isOpen = () => stream?.readyState === 1;

function open() {
  close();
  const url = new URL(page.dataset.live, location);
  if (state) url.searchParams.set("shows", search); // else there is nothing new but parts
  stream = new EventSource(url);
  let parts = {}; // a connection sends first all parts, then those that have changed
  stream.addEventListener("open", () => {
    parts = {};
    heard();
  });
  stream.addEventListener("revision", (event) => {
    heard();
    if (Number(event.data) !== revision) refresh();
  });
  stream.addEventListener("state", (event) => {
    heard();
    const fresh = JSON.parse(event.data);
    parts = fresh.parts = { ...parts, ...fresh.parts };
    if (fresh.shows === search) takeSoon(fresh);
    else {
      refresh();
      open(); // something else is shown by now
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
      lost();
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
  lost();
});

// Parts that scripts have swapped in have no CSRF token.
addEventListener("submit", ({ target }) => {
  if (target.method !== "post" || target.elements.csrfmiddlewaretoken) return;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value: token() });
  target.append(field);
});

// When all modules have said what is shown.
queueMicrotask(() => {
  takeSeen();
  if (!document.hidden) open();
});
takeFocus();
