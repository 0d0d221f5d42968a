// Keeps the tally live: steppers step, htmx has the server add up, the device remembers.
import { deviceStore } from "./lib/store.js";

const { htmx } = window;
const KEY = "dizzle.tally";
const AGAIN_MS = 4000;
const page = document.getElementById("tally");
let owed = null; // what is to stand in the form, and does not yet
let timer = 0;

const form = () => document.getElementById("tally-form");
const isPad = (name) => !/^p\d-/.test(name);
const token = () => form().elements.csrfmiddlewaretoken.value;
const entries = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");
const remember = () => owed || deviceStore.write(KEY, entries());

// Which rows the form has depends on what is in it, so the server makes a new one.
async function restore(found) {
  owed = found;
  const values = { ...Object.fromEntries(found), csrfmiddlewaretoken: token() };
  try {
    await htmx.ajax("POST", form().action, { source: page, target: form(), swap: "outerHTML", values });
  } catch {
    // no answer: see below
  }
}

page.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-step]");
  if (button) {
    const input = button.parentElement.querySelector("input");
    const value = (Number(input.value) || 0) + Number(button.dataset.step);
    input.value = Math.min(Math.max(value, Number(input.min)), Number(input.max));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (event.target.id === "tally-again") {
    await restore(entries().filter(([name]) => isPad(name) || name.endsWith("-name")));
    remember();
  }
});

page.addEventListener("input", (event) => {
  remember();
  if (event.target.name.endsWith("-name")) {
    const shown = event.target.closest("details").querySelector(".player-name");
    shown.textContent = event.target.value.trim() || event.target.placeholder;
  }
});

// Without an answer the totals catch up later.
function sendAgain() {
  clearTimeout(timer);
  if (owed) restore(owed);
  else htmx.trigger(form(), "again");
}
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  page.addEventListener(name, ({ detail: { xhr } }) => {
    if (xhr.status && xhr.status < 500) return; // a refusal, which says its reason
    clearTimeout(timer);
    timer = setTimeout(sendAgain, AGAIN_MS);
  });
}
page.addEventListener("htmx:beforeRequest", () => clearTimeout(timer));
page.addEventListener("htmx:afterSwap", () => (owed = null));
addEventListener("online", sendAgain);

page.classList.add("live");
const found = deviceStore.read(KEY);
if (Array.isArray(found) && page.dataset.new) addEventListener("DOMContentLoaded", () => restore(found));
