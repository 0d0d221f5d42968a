// Tells how a pass ended, effect after effect: on phones and on the big screen.
import { onState, page } from "./live.js";

const panel = document.getElementById("telling");

const lines = () => [...document.querySelectorAll("[data-entry] li")];
const keyOf = (line) => `${line.closest("[data-entry]").dataset.entry} ${line.textContent}`;

// Tell each line once, in a place of the panel and for so long. `show` gets `{ text, lit, players }`
// as it is told, again after each swap, and null at the end. Gives what breaks the telling off.
export function tellLines({ place = panel, lineMs, show }) {
  const told = new Set(lines().map(keyOf)); // before this page was opened
  let waiting = [];
  let shown = null;
  let timer;

  function next() {
    clearTimeout(timer);
    shown = waiting.shift() ?? null;
    panel.hidden = !shown;
    page.classList.toggle("is-telling", Boolean(shown));
    if (shown) {
      place.textContent = shown.text;
      timer = setTimeout(next, lineMs);
    }
    show(shown);
  }

  onState(() => {
    const fresh = lines().filter((line) => !told.has(keyOf(line)));
    for (const line of fresh) told.add(keyOf(line));
    if (!document.hidden) {
      waiting.push(
        ...fresh.map((line) => ({
          text: line.textContent,
          lit: line.dataset.lit,
          players: line.dataset.players.split(" "),
        })),
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
