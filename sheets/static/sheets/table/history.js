// Stepping through a game: its links are followed in place, and the arrows are its links.
import { FOR_PART, isFold, swap } from "../lib/swap.js";
import { forgetLine } from "./lit_fields.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "pass-back", ArrowDown: "pass-on" };
const PATIENCE_MS = 20000;
const noAnswer = document.querySelector("[data-no-answer]");
let latest = null;

// Only what was wanted last is shown, whatever comes first.
async function go(url, isNew) {
  latest?.abort();
  const mine = new AbortController();
  latest = mine;
  setTimeout(() => mine.abort(), PATIENCE_MS);
  let html;
  try {
    const answer = await fetch(url, { headers: FOR_PART, signal: mine.signal });
    if (answer.status >= 500) throw new Error(String(answer.status));
    if (!answer.ok) return location.assign(url); // the page says what is wrong
    html = await answer.text();
  } catch {
    if (mine === latest) noAnswer.hidden = false;
    return;
  }
  if (mine !== latest) return;
  noAnswer.hidden = true;
  if (!swap("_history", html, isFold)) return location.assign(url); // another page: let it be seen
  forgetLine();
  if (isNew) history.pushState(null, "", url);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#_history a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href, true);
});
addEventListener("popstate", () => go(location.href, false));
document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("summary, .scroll-x")) return;
  event.preventDefault();
  document.querySelector(`[data-step="${step}"][href]`)?.click();
});
