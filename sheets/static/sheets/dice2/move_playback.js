// Playback of simultaneous moves (of bots, and skips by the app), one after the other in page order.

const STEP_MS = 900; // duration of one move

const find = () => document.getElementById("happened");
const movesIn = (happened) => [...happened.querySelectorAll("[data-move]")];
const numberOf = (move) => Number(move.dataset.move);

function latest() {
  const happened = find();
  return happened ? Math.max(happened.dataset.own, ...movesIn(happened).map(numberOf)) : 0;
}

let known = latest();
let timers = [];
const toCome = new Set(); // numbers of hidden moves

// Hide moves that are still to come. A line is shown as paid after its last die.
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
    // The user has just seen their own die.
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
