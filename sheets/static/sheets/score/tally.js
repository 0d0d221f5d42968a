// Adds steppers, totals and storage on the device to `#tally-form`. htmx sends the whole form and polls for changes by
// other phones; this script tells it when, and sends again after a failure.
import { deviceStore, tabStore } from "../lib/store.js";
import { swap } from "../lib/swap.js";
import { submitReplacing } from "../lib/single_history_entry.js";
import { FORM, KEPT, TALLY, isOfPad } from "./tally_storage.js";
import { addUp, forgetWinner } from "./tally_sum.js";

const DEBOUNCE_MS = 120; // from the last input to sending
const RETRY_MS = 4000; // after a failed request
const page = document.getElementById("tally");
const { key } = page.dataset; // only of a saved tally
const NAME = key ? `${TALLY}.${key}` : TALLY;
const offline = document.getElementById("tally-offline");
const tooOld = document.getElementById("tally-too-old");
let timer = 0;
let isDue = false; // there is unsent input
let sent = []; // the entries of the last request
let toRestore = null; // stored entries that the form does not show yet
let extraEntries = []; // entries for fields that the offline form does not have
let isUsed = false; // the user has changed something since the page was loaded

const form = () => document.getElementById("tally-form");
const formEntries = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");
const entries = () => [...formEntries(), ...extraEntries];
const storeEntries = () => toRestore || deviceStore.write(NAME, entries());

// Language and script version that the stored form belongs to.
const release = `${document.documentElement.lang} ${document.querySelector("[src*='score/tally']").src}`;

// Show the form with the restored entries. What the user has opened or typed in the meantime stays.
function showRestored(html) {
  if (!isUsed) for (const fold of form().querySelectorAll("details")) fold.open = false;
  swap("tally-form", html);
  window.htmx.process(form());
}

// Restore entries without a network: into the last stored form, which has the right rows and players, if it is of
// this release; otherwise into the current form.
function restoreHere() {
  const [madeFor, html] = deviceStore.read(FORM, []);
  if (!key && madeFor === release) showRestored(html);
  const typed = new Map(toRestore);
  for (const input of form().querySelectorAll("input[name]:not([type=hidden])")) {
    if (input.value !== input.defaultValue || input.checked !== input.defaultChecked) continue; // edited already
    if (["checkbox", "radio"].includes(input.type)) input.checked = typed.get(input.name) === input.value;
    else input.value = typed.get(input.name) ?? "";
  }
  extraEntries = toRestore.filter(([name]) => name !== "csrfmiddlewaretoken" && !form().elements[name]);
  toRestore = null;
  addUp(form());
}

// Fields that still show what was sent have no unsent input, so the answer may change them.
function markSent() {
  const byName = new Map(sent);
  for (const input of form().querySelectorAll("input[name]")) {
    const text = byName.get(input.name) ?? "";
    if (input.checked === (input.value === text)) input.defaultChecked = input.checked;
    if (input.value === text) input.defaultValue = text;
  }
}

function send() {
  clearTimeout(timer);
  isDue = false;
  form().dispatchEvent(new Event("count"));
}

function fail() {
  offline.hidden = false;
  tooOld.hidden = true;
  if (toRestore) restoreHere();
  forgetWinner(form());
  timer = setTimeout(send, RETRY_MS);
}

// A captive portal answers with its own page, 403 means that the page must be reloaded first.
function take({ status, response }) {
  const isTooOld = status === 403;
  if (!isTooOld && !(status < 500 && response.includes('id="tally-form"'))) {
    fail();
    return false;
  }
  offline.hidden = true;
  tooOld.hidden = !isTooOld;
  if (isTooOld) return false;
  if (!key) deviceStore.write(FORM, [release, response]);
  const wasRestored = Boolean(toRestore);
  toRestore = null;
  extraEntries = [];
  if (wasRestored) {
    showRestored(response);
    if (isUsed) sendSoon(DEBOUNCE_MS);
  } else if (key) markSent();
  if (key && status === 200 && !isDue) deviceStore.forget(NAME);
  return !wasRestored;
}

const isPoll = ({ requestConfig }) => requestConfig.verb === "get";

page.addEventListener("htmx:beforeRequest", (event) => {
  if (isPoll(event.detail) && (document.hidden || deviceStore.read(NAME))) event.preventDefault();
});
page.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb === "get") return;
  sent = toRestore ?? entries();
  detail.path = form().action; // not that of the last button, which stores the tally
  detail.parameters = new FormData();
  for (const [name, value] of sent) detail.parameters.append(name, value);
  detail.parameters.set("csrfmiddlewaretoken", form().elements.csrfmiddlewaretoken.value);
});
page.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isPoll(detail)) detail.shouldSwap = take(detail.xhr);
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  page.addEventListener(name, ({ detail }) => isPoll(detail) || fail());
}

function sendSoon(ms) {
  storeEntries();
  addUp(form());
  isDue = true;
  clearTimeout(timer);
  timer = setTimeout(send, ms);
}

// Restore entries from the server's form, because the rows depend on the entries.
function restore(found) {
  toRestore = found;
  if (document.querySelector(".from-memory")) restoreHere();
  send();
}

page.addEventListener("click", (event) => {
  isUsed = true;
  const button = event.target.closest("[data-step]");
  if (button) {
    button.parentElement.querySelector("input").stepUp(Number(button.dataset.step));
    sendSoon(DEBOUNCE_MS);
  }
  if (event.target.id === "tally-again") {
    const kept = entries().filter(([name]) => isOfPad(name) || name.endsWith("-name"));
    deviceStore.write(NAME, kept);
    restore(kept);
  }
});

page.addEventListener("input", (event) => {
  isUsed = true;
  if (isOfPad(event.target.name)) return;
  if (event.target.name.endsWith("-name")) {
    const shown = event.target.closest("details").querySelector(".player-name");
    shown.textContent = event.target.value.trim() || event.target.placeholder;
  }
  sendSoon(DEBOUNCE_MS);
});

page.addEventListener("change", (event) => isOfPad(event.target.name) && sendSoon(0));

page.addEventListener("submit", (event) => {
  if (event.submitter?.name === "then" && offline.hidden) {
    tabStore.write(KEPT, NAME);
    // The result replaces the counts in the history and links back to them, so Back leaves both.
    if (!key) submitReplacing(event);
    return;
  }
  event.preventDefault();
  sendSoon(0);
});

addEventListener("online", () => sendSoon(0));

tabStore.forget(KEPT);

page.classList.add("live");
const found = deviceStore.read(NAME);
// When htmx is ready.
if (Array.isArray(found) && page.dataset.new) addEventListener("DOMContentLoaded", () => restore(found));
