// Best scores of Square Dice on this device, stored there only.
import { deviceStore } from "../lib/store.js";

const NAME = "dizzle.square"; // [[code of the table, points], …], the best first
const MOST = 20; // games stored

function show() {
  const place = document.querySelector("[data-square]");
  if (!place) return;
  const points = Number(place.dataset.square);
  const others = deviceStore.read(NAME, []).filter(([code]) => code !== place.dataset.table);
  const best = others[0]?.[1] ?? 0;
  const games = [...others, [place.dataset.table, points]].sort((a, b) => b[1] - a[1]);
  deviceStore.write(NAME, games.slice(0, MOST));
  place.textContent = points > best ? place.dataset.now : place.dataset.before.replace("#", best);
  place.hidden = !points && !best; // no message about 0 points
}

document.addEventListener("scored", show);
show();
