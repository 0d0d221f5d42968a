// List of the server's errors and warnings about the draft (_checks.html): a tap highlights the fields.
import { known, onChange } from "./acts.js";
import { bench } from "./bench.js";
import { byId, fill, make, page, refill, words } from "./page.js";
import { toDraft } from "./views.js";

const list = byId("check-list");
let drawn = ""; // empty: as the page came
let played = ""; // the list with a warning from trial games
let litSentence = "";

const buttons = () => [...list.querySelectorAll("[data-fields]")];
const withSentence = (sentence) => buttons().find((button) => button.textContent === sentence);
export const hasErrors = () => Boolean(list.querySelector(".errors"));
export function setPlayed(html) {
  played = html;
  drawChecks();
}
function drawChecks() {
  const html = played || known().checks;
  if (!html || html === drawn) return;
  const { length } = buttons();
  const fresh = make("div", {});
  fresh.innerHTML = drawn = html;
  if (litSentence) mark(fresh);
  refill(list, [...fresh.children]);
  // Announce only the number of entries, and only if it changes.
  const count = buttons().length;
  if (count !== length) byId("check-count").textContent = count ? fill(words.say.toLookAt, { count }) : list.textContent.trim();
}
// Mark the chosen entry and highlight its fields.
function mark(holder) {
  bench.lit = [];
  for (const button of holder.querySelectorAll("[data-fields]")) {
    const isOn = button.textContent === litSentence;
    button.setAttribute("aria-pressed", isOn);
    if (isOn) bench.lit = button.dataset.fields.split(" ").filter(Boolean);
  }
}
list.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-fields]");
  if (!button) return;
  litSentence = button.textContent === litSentence ? "" : button.textContent;
  mark(list);
  const { mends } = button.dataset;
  if (litSentence) toDraft();
  if (litSentence && document.querySelector(`[data-tool="${mends}"]`)) bench.choose(mends);
  bench.draw();
  if (!bench.lit.length) return;
  [bench.cursor] = bench.lit;
  bench.toCursor();
});
onChange(drawChecks);

// The page was opened to fix an error: highlight its fields, and hide its sentence when it is fixed.
const { missing } = page.dataset;
if (missing) {
  document.addEventListener("DOMContentLoaded", () => withSentence(missing)?.click());
  onChange(() => (byId("missing").hidden = !withSentence(missing)));
}
