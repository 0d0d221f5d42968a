// Tally form: steppers, totals on the page, the winner from the server, storage on the device. Input must survive a
// lost network, so this script sends it with retries instead of htmx.
import { requestTimeout } from "../lib/request_timeout.js";
import { onReconnect } from "../lib/json_outbox.js";
import { deviceStore, tabStore } from "../lib/store.js";
import { isFold, swap } from "../lib/swap.js";
import { submitReplacing } from "./single_history_entry.js";
import { FORM, KEPT, TALLY, isOfPad } from "./tally_storage.js";
import { addUp, forgetWinner } from "./tally_sum.js";

const DEBOUNCE_MS = 120; // from the last input to sending
const RETRY_MS = 4000; // after a failed request
const POLL_MS = 7000; // for changes by other phones
const page = document.getElementById("tally");
const { key, newsUrl } = page.dataset; // only of a saved tally
const NAME = key ? `${TALLY}.${key}` : TALLY;
const offline = document.getElementById("tally-offline");
const tooOld = document.getElementById("tally-too-old");
let latest = 0;
let timer = 0;
let isDue = false; // there is unsent input
let toRestore = null; // stored entries that the form does not show yet
let extraEntries = []; // entries for fields that the offline form does not have
let isUsed = false; // the user has changed something since the page was loaded

const form = () => document.getElementById("tally-form");
const formEntries = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");
const entries = () => [...formEntries(), ...extraEntries];
const storeEntries = () => toRestore || deviceStore.write(NAME, entries());

const hasForm = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return Boolean(holder.content.getElementById("tally-form"));
};

// Send the entries. Returns the form's new HTML, or null if the page must be reloaded first, and whether all
// entries were valid.
async function answerTo(sent) {
  const body = new FormData();
  for (const [name, value] of sent) body.append(name, value);
  body.set("csrfmiddlewaretoken", form().elements.csrfmiddlewaretoken.value);
  const answer = await fetch(form().action, { method: "POST", body, headers: { "HX-Request": "true" }, signal: requestTimeout() });
  if (answer.status === 403) return { html: null };
  const html = await answer.text();
  // A captive portal answers with its own page.
  if (![200, 422].includes(answer.status) || !hasForm(html)) throw new Error(String(answer.status));
  return { html, isTaken: answer.ok };
}

// Language and script version that the stored form belongs to.
const release = `${document.documentElement.lang} ${document.querySelector("[src*='score/tally']").src}`;

// Show the form with the restored entries. What the user has opened or typed in the meantime stays.
function showRestored(html) {
  if (isUsed) swap("tally-form", html);
  else form().outerHTML = html;
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

// Take over values that other phones have changed, except in fields edited here since the request was sent.
function takeOver(html, sent) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const fresh of holder.content.querySelectorAll("input[name]")) {
    const mine = fresh.id ? document.getElementById(fresh.id) : null;
    if (!mine) continue;
    if (mine.type === "checkbox") {
      if (mine.checked !== sent.has(mine.name)) continue;
      mine.checked = mine.defaultChecked = fresh.defaultChecked;
    } else if (mine.type !== "radio" && mine.value === (sent.get(mine.name) ?? "")) {
      mine.value = mine.defaultValue = fresh.defaultValue;
    }
  }
}

async function send() {
  const mine = ++latest;
  clearTimeout(timer);
  isDue = false;
  page.classList.add("waiting");
  try {
    const sent = toRestore ?? entries();
    const { html, isTaken } = await answerTo(sent);
    if (mine !== latest) return;
    offline.hidden = true;
    tooOld.hidden = html !== null;
    if (html === null) return;
    if (!key) deviceStore.write(FORM, [release, html]);
    const wasRestored = Boolean(toRestore);
    toRestore = null;
    extraEntries = [];
    if (wasRestored) {
      showRestored(html);
      if (isUsed) sendSoon(DEBOUNCE_MS);
    } else {
      swap("tally-form", html, isFold);
      if (key) takeOver(html, new Map(sent));
    }
    if (key && isTaken && !isDue) deviceStore.forget(NAME);
  } catch {
    if (mine !== latest) return;
    offline.hidden = false;
    tooOld.hidden = true;
    if (toRestore) restoreHere();
    forgetWinner(form());
    timer = setTimeout(send, RETRY_MS);
  } finally {
    if (mine === latest) page.classList.remove("waiting");
  }
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
  return send();
}

page.addEventListener("click", async (event) => {
  isUsed = true;
  const button = event.target.closest("[data-step]");
  if (button) {
    const input = button.parentElement.querySelector("input");
    const value = (Number(input.value) || 0) + Number(button.dataset.step);
    input.value = Math.min(Math.max(value, Number(input.min)), Number(input.max));
    sendSoon(DEBOUNCE_MS);
  }
  if (event.target.id === "tally-again") {
    await restore(entries().filter(([name]) => isOfPad(name) || name.endsWith("-name")));
    storeEntries();
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

async function poll() {
  if (document.hidden || deviceStore.read(NAME)) return;
  try {
    const answer = await fetch(newsUrl, { signal: requestTimeout() });
    if (answer.ok && String((await answer.json()).revision) !== form().dataset.revision) await send();
  } catch {
    // no network: the next poll tries again
  }
}
if (key) {
  setInterval(poll, POLL_MS);
  onReconnect(poll);
}
tabStore.forget(KEPT);

page.classList.add("live");
const found = deviceStore.read(NAME);
if (Array.isArray(found) && page.dataset.new) restore(found);
