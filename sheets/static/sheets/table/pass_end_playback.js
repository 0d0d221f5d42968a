// Playback of the end of a pass, line by line, on phones and on the big screen.
import { announce } from "../lib/live_region.js";
import { onState, page } from "./live.js";

const panel = document.getElementById("telling");

const lines = () => [...document.querySelectorAll("[data-entry] li")];
const keyOf = (line) => `${line.closest("[data-entry]").dataset.entry} ${line.textContent}`;

// Play each line once, in the element `place`, for `lasts(line)` milliseconds. `show` is called with `{ parts, lit,
// players, isChoice }` for each line, again after each swap, and with null at the end. Lines without `isNews(line)`
// are skipped. Returns a function that stops the playback.
export function playPassEnd({ place = panel, lasts, show, isNews = () => true }) {
  const told = new Set(lines().map(keyOf)); // from before this page was opened
  let waiting = [];
  let shown = null;
  let timer;

  function next() {
    clearTimeout(timer);
    shown = waiting.shift() ?? null;
    panel.hidden = !shown;
    page.classList.toggle("is-telling", Boolean(shown));
    if (shown) {
      place.replaceChildren(...shown.parts);
      timer = setTimeout(next, lasts(shown));
    }
    show(shown);
  }

  onState(() => {
    // Drop lines that were undone.
    const now = new Set(lines().map(keyOf));
    waiting = waiting.filter((line) => now.has(line.key));
    if (shown && !now.has(shown.key)) next();
    const fresh = lines().filter((line) => !told.has(keyOf(line)));
    for (const line of fresh) told.add(keyOf(line));
    announce(...fresh.map((line) => line.textContent.trim()));
    if (!document.hidden) {
      waiting.push(
        ...fresh.map((line) => ({
          key: keyOf(line),
          parts: line.cloneNode(true).childNodes,
          lit: line.dataset.lit,
          players: line.dataset.players.split(" "),
          isChoice: "choice" in line.dataset,
        })).filter(isNews),
      );
    }
    if (shown) show(shown);
    else if (waiting.length) next();
  });

  return () => {
    waiting = [];
    next();
  };
}
