// Tells how a pass ended, effect after effect: on phones and on the big screen.
import { hear } from "../lib/say.js";
import { onState, page } from "./live.js";

const panel = document.getElementById("telling");

const lines = () => [...document.querySelectorAll("[data-entry] li")];
const keyOf = (line) => `${line.closest("[data-entry]").dataset.entry} ${line.textContent}`;

// Tell each line once, in a place of the panel, for as long as `lasts` says. `show` gets `{ text, lit, players,
// isChoice }` as it is told, again after each swap, and null at the end; what is no news to who looks
// is not told. Gives what breaks the telling off.
export function tellLines({ place = panel, lasts, show, isNews = () => true }) {
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
      timer = setTimeout(next, lasts(shown));
    }
    show(shown);
  }

  onState(() => {
    // What was taken back is no news any more.
    const now = new Set(lines().map(keyOf));
    waiting = waiting.filter((line) => now.has(line.key));
    if (shown && !now.has(shown.key)) next();
    const fresh = lines().filter((line) => !told.has(keyOf(line)));
    for (const line of fresh) told.add(keyOf(line));
    hear(...fresh.map((line) => line.textContent.trim()));
    if (!document.hidden) {
      waiting.push(
        ...fresh.map((line) => ({
          key: keyOf(line),
          text: line.textContent,
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
