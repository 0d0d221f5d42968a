// Keeps the tally live: steppers step, the page adds up, the server says who has won, the device remembers. What is typed has to
// outlive a dead network, so it is sent from here, again and again, and not by htmx.
import { FOR_PART } from "../lib/ask.js";
import { inTime } from "../lib/in_time.js";
import { whenBack } from "../lib/json_outbox.js";
import { deviceStore, tabStore } from "../lib/store.js";
import { isFold, swap } from "../lib/swap.js";
import { sendFromHere } from "./one_place.js";
import { FORM, KEPT, TALLY, isOfPad } from "./tally_names.js";
import { addUp, forgetWinner } from "./tally_sum.js";

const SOON_MS = 120;
const AGAIN_MS = 4000;
const LOOK_MS = 7000;
const page = document.getElementById("tally");
const { key, newsUrl } = page.dataset; // of one that is kept
const NAME = key ? `${TALLY}.${key}` : TALLY;
const offline = document.getElementById("tally-offline");
const tooOld = document.getElementById("tally-too-old");
let latest = 0;
let timer = 0;
let isDue = false; // something was typed that is not sent yet
let owed = null; // what is to stand in the form, and does not yet
let beyond = []; // what was typed into fields that the form does not have without a network

const form = () => document.getElementById("tally-form");
const typedHere = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");
const entries = () => [...typedHere(), ...beyond];
const remember = () => owed || deviceStore.write(NAME, entries());

const hasForm = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return Boolean(holder.content.getElementById("tally-form"));
};

// The form as it is answered, null if the page has to be loaded anew first; and whether all of it
// could be used.
async function answerTo(sent) {
  const body = new FormData();
  for (const [name, value] of sent) body.append(name, value);
  body.set("csrfmiddlewaretoken", form().elements.csrfmiddlewaretoken.value);
  const answer = await fetch(form().action, { method: "POST", body, headers: FOR_PART, signal: inTime() });
  if (answer.status === 403) return { html: null };
  const html = await answer.text();
  // A network that wants a password first answers, too, with a page of its own.
  if (![200, 422].includes(answer.status) || !hasForm(html)) throw new Error(String(answer.status));
  return { html, isTaken: answer.ok };
}

// The form as it was answered last, for the same page opened without a network.
const release = `${document.documentElement.lang} ${document.querySelector("[src*='score/tally']").src}`;

// What was typed is put into that, where the page would have other rows and players; else into what there is.
function restoreHere() {
  const [madeFor, html] = deviceStore.read(FORM, []);
  if (!key && madeFor === release) form().outerHTML = html;
  const typed = new Map(owed);
  for (const input of form().querySelectorAll("input[name]:not([type=hidden])")) {
    if (["checkbox", "radio"].includes(input.type)) input.checked = typed.get(input.name) === input.value;
    else input.value = typed.get(input.name) ?? "";
  }
  beyond = owed.filter(([name]) => name !== "csrfmiddlewaretoken" && !form().elements[name]);
  owed = null;
  addUp(form());
}

// Other phones may have changed what this one has sent as it was: what nobody has touched since the
// request left is theirs.
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
    const sent = owed ?? entries();
    const { html, isTaken } = await answerTo(sent);
    if (mine !== latest) return;
    offline.hidden = true;
    tooOld.hidden = html !== null;
    if (html === null) return;
    if (!key) deviceStore.write(FORM, [release, html]);
    if (owed) form().outerHTML = html;
    else {
      swap("tally-form", html, isFold);
      if (key) takeOver(html, new Map(sent));
    }
    owed = null;
    beyond = [];
    if (key && isTaken && !isDue) deviceStore.forget(NAME);
  } catch {
    if (mine !== latest) return;
    offline.hidden = false;
    tooOld.hidden = true;
    if (owed) restoreHere();
    forgetWinner(form());
    timer = setTimeout(send, AGAIN_MS);
  } finally {
    if (mine === latest) page.classList.remove("waiting");
  }
}

function sendSoon(ms) {
  remember();
  addUp(form());
  isDue = true;
  clearTimeout(timer);
  timer = setTimeout(send, ms);
}

// Which rows there are depends on what is in the form, so the server makes a new one.
function restore(found) {
  owed = found;
  if (document.querySelector(".from-memory")) restoreHere();
  return send();
}

page.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-step]");
  if (button) {
    const input = button.parentElement.querySelector("input");
    const value = (Number(input.value) || 0) + Number(button.dataset.step);
    input.value = Math.min(Math.max(value, Number(input.min)), Number(input.max));
    sendSoon(SOON_MS);
  }
  if (event.target.id === "tally-again") {
    await restore(entries().filter(([name]) => isOfPad(name) || name.endsWith("-name")));
    remember();
  }
});

page.addEventListener("input", (event) => {
  if (isOfPad(event.target.name)) return;
  if (event.target.name.endsWith("-name")) {
    const shown = event.target.closest("details").querySelector(".player-name");
    shown.textContent = event.target.value.trim() || event.target.placeholder;
  }
  sendSoon(SOON_MS);
});

page.addEventListener("change", (event) => isOfPad(event.target.name) && sendSoon(0));

page.addEventListener("submit", (event) => {
  if (event.submitter?.name === "then" && offline.hidden) {
    tabStore.write(KEPT, NAME);
    // The result takes the place of the counts, which it leads back to: Back leaves both.
    if (!key) sendFromHere(event);
    return;
  }
  event.preventDefault();
  sendSoon(0);
});

addEventListener("online", () => sendSoon(0));

async function look() {
  if (document.hidden || deviceStore.read(NAME)) return;
  try {
    const answer = await fetch(newsUrl, { signal: inTime() });
    if (answer.ok && String((await answer.json()).revision) !== form().dataset.revision) await send();
  } catch {
    // no network: the next look will tell
  }
}
if (key) {
  setInterval(look, LOOK_MS);
  whenBack(look);
}
tabStore.forget(KEPT);

page.classList.add("live");
const found = deviceStore.read(NAME);
if (Array.isArray(found) && page.dataset.new) restore(found);
