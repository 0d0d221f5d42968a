// A step of the tutorial: the page has the answers to all taps, so they need no network.
import { isDoubleTap } from "../lib/double_taps.js";
import { flash, messageIn } from "../lib/live_region.js";
import { swap } from "../lib/swap.js";
import "../sheet/keyboard.js";

const YEAR_S = 31536000; // lifetime of the cookie, as in progress.py

const answers = JSON.parse(document.getElementById("answers").textContent);
const byId = (id) => document.getElementById(id);
const say = messageIn(byId("refusal"), { stays: () => true });

byId("_step").addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value } = event.submitter;
  if (name === "at" && isDoubleTap(value)) return;
  const tap = `${name}=${value}`;
  if (tap === answers.right) complete();
  else refuse(name, value, answers.sentences[tap]);
});

function refuse(name, value, sentence) {
  say(sentence);
  const field = name === "at" && document.querySelector(`[data-field="${value}"]`);
  if (field) flash(field, "refused", 900);
  const [means, at] = answers.right.split("=");
  const right = means === "at" && document.querySelector(`.sheet-grid [data-at="${at}"]`);
  if (!right || right.dataset.hint) return;
  right.dataset.hint = "strong";
  right.setAttribute("aria-label", `${right.getAttribute("aria-label")}, ${byId("_step").dataset.hint}`);
}

function complete() {
  const before = Number(/(?:^|; )tutorial=(\d+)/.exec(document.cookie)?.[1] ?? 0);
  const last = Math.max(before, answers.number);
  document.cookie = `tutorial=${last};path=/;max-age=${YEAR_S};samesite=lax`;
  swap("_step", answers.done);
  byId("next").focus();
}
