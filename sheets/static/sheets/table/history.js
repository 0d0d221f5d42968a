// Steps through a game: follows links in place, and maps arrow keys to them.
import { fetchLatest } from "../lib/latest_request.js";
import { isFold, swap } from "../lib/swap.js";
import { forgetLine } from "./lit_fields.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "pass-back", ArrowDown: "pass-on" };

async function go(url, isNew) {
  const answer = await fetchLatest(url);
  if (!answer) return;
  // An error, or another page: show it.
  if (!answer.isOk || !swap("_history", answer.html, isFold)) return location.assign(url);
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
