// The best game of Square Dice on this device. Nobody else is told: there are no accounts.
import { deviceStore } from "../lib/store.js";

const NAME = "dizzle.square"; // [[code of the table, points], …], the best first
const MOST = 20;

function show() {
  const place = document.querySelector("[data-square]");
  if (!place) return;
  const points = Number(place.dataset.square);
  const others = deviceStore.read(NAME, []).filter(([code]) => code !== place.dataset.table);
  const best = others[0]?.[1] ?? 0;
  const games = [...others, [place.dataset.table, points]].sort((a, b) => b[1] - a[1]);
  deviceStore.write(NAME, games.slice(0, MOST));
  place.textContent = points > best ? place.dataset.now : place.dataset.before.replace("#", best);
  place.hidden = !points && !best; // nobody is proud of nothing
}

document.addEventListener("scored", show);
show();
