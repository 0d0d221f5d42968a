// Keeps the tally live: steppers step, the server adds up, the device remembers. What is typed has to
// outlive a dead network, so it is sent from here, again and again, and not by htmx.
import { inTime } from "../lib/outbox.js";
import { deviceStore } from "../lib/store.js";
import { FOR_PART, isFold, swap } from "../lib/swap.js";

const KEY = "dizzle.tally";
const SOON_MS = 120;
const AGAIN_MS = 4000;
const page = document.getElementById("tally");
const offline = document.getElementById("tally-offline");
const tooOld = document.getElementById("tally-too-old");
let latest = 0;
let timer = 0;
let owed = null; // what is to stand in the form, and does not yet

const form = () => document.getElementById("tally-form");
const isPad = (name) => !/^p\d-/.test(name);
const entries = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");
const remember = () => owed || deviceStore.write(KEY, entries());

const hasForm = (html) => {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return Boolean(holder.content.getElementById("tally-form"));
};

// The form as it is answered, or null if the page has to be loaded anew first.
async function answerTo(sent) {
  const body = new FormData();
  for (const [name, value] of sent) body.append(name, value);
  body.set("csrfmiddlewaretoken", form().elements.csrfmiddlewaretoken.value);
  const answer = await fetch(form().action, { method: "POST", body, headers: FOR_PART, signal: inTime() });
  if (answer.status === 403) return null;
  const html = await answer.text();
  // A network that wants a password first answers, too, with a page of its own.
  if (![200, 422].includes(answer.status) || !hasForm(html)) throw new Error(String(answer.status));
  return html;
}

async function send() {
  const mine = ++latest;
  clearTimeout(timer);
  page.classList.add("waiting");
  try {
    const html = await answerTo(owed ?? entries());
    if (mine !== latest) return;
    offline.hidden = true;
    tooOld.hidden = html !== null;
    if (html === null) return;
    if (owed) form().outerHTML = html;
    else swap("tally-form", html, isFold);
    owed = null;
  } catch {
    if (mine !== latest) return;
    offline.hidden = false;
    tooOld.hidden = true;
    timer = setTimeout(send, AGAIN_MS);
  } finally {
    if (mine === latest) page.classList.remove("waiting");
  }
}

function sendSoon(ms) {
  remember();
  clearTimeout(timer);
  timer = setTimeout(send, ms);
}

// Which rows there are depends on what is in the form, so the server makes a new one.
function restore(found) {
  owed = found;
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
    await restore(entries().filter(([name]) => isPad(name) || name.endsWith("-name")));
    remember();
  }
});

page.addEventListener("input", (event) => {
  if (isPad(event.target.name)) return;
  if (event.target.name.endsWith("-name")) {
    const shown = event.target.closest("details").querySelector(".player-name");
    shown.textContent = event.target.value.trim() || event.target.placeholder;
  }
  sendSoon(SOON_MS);
});

page.addEventListener("change", (event) => isPad(event.target.name) && sendSoon(0));

page.addEventListener("submit", (event) => {
  event.preventDefault();
  sendSoon(0);
});

addEventListener("online", () => sendSoon(0));

page.classList.add("live");
const found = deviceStore.read(KEY);
if (Array.isArray(found) && page.dataset.new) restore(found);
