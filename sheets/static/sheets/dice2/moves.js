// Bots move at once, and the app skips for who cannot place: what has happened together is shown one
// move after the other, in the order in which it stands on the page.

const STEP_MS = 900;

const find = () => document.getElementById("happened");
const movesIn = (happened) => [...happened.querySelectorAll("[data-move]")];
const numberOf = (move) => Number(move.dataset.move);

function latest() {
  const happened = find();
  return happened ? Math.max(happened.dataset.own, ...movesIn(happened).map(numberOf)) : 0;
}

let known = latest();
let timers = [];
const toCome = new Set(); // numbers of moves

// What is exchanged in between is as it was before. A line has paid when its last die is told.
function draw() {
  document.body.classList.toggle("is-telling", toCome.size > 0);
  const covered = new Set();
  for (const move of movesIn(find())) {
    const { lies } = move.dataset;
    const isToCome = toCome.has(numberOf(move));
    if (lies && isToCome) covered.add(lies);
    const drawn = lies ? document.querySelectorAll(`[data-die="${lies}"], [data-ring="${lies}"]`) : [];
    for (const part of [move, ...drawn]) part.classList.toggle("to-come", isToCome);
  }
  for (const line of document.querySelectorAll("[data-line]")) {
    line.classList.toggle("to-come", line.dataset.line.split(" ").some((at) => covered.has(at)));
  }
}

document.addEventListener("scored", () => {
  const happened = find();
  if (!happened) return;
  const before = known;
  known = latest();
  if (known !== before) {
    timers.forEach(clearTimeout);
    timers = [];
    toCome.clear();
    // One's own die has just been seen.
    const first = Number(happened.dataset.own) > before ? 1 : 0;
    const moves = movesIn(happened).map(numberOf).filter((number) => number > before);
    moves.forEach((number, index) => {
      if (index + first === 0) return;
      toCome.add(number);
      timers.push(setTimeout(() => {
        toCome.delete(number);
        draw();
      }, (index + first) * STEP_MS));
    });
  }
  draw();
});
