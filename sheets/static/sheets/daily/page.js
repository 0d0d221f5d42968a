// Page of the sheet of a day: a solo game with the dice of the day, played and stored on this device. Needs no network.
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import { isDoubleTap } from "../lib/double_taps.js";
import { announce, flash, messageIn } from "../lib/live_region.js";
import { drawMarks, markTypes } from "../lib/marks.js";
import { picture } from "../lib/art.js";
import { copyField } from "../lib/copy.js";
import { drawColumn } from "../offline_scoring/score_column.js";
import { scoreSheet } from "../offline_scoring/scoring.js";
import { fill, forEars, gradeLines, kit, make, points, say } from "../offline_scoring/words.js";
import { dayHere } from "./day_here.js";
import { RuleViolation, choices, diceToRoll, isBoxedIn, legalFields, openedColours, targets } from "./game.js";
import { enableGroups, isSent } from "./groups.js";
import { DROP_OUT, THROW, begin, replay, undone, withWord } from "./record.js";
import { comparisonSentence, drawBots, gradeOf, sharedText, squareKinds } from "./results.js";
import { nameOf, storeWords, storedTotal, storedWords } from "./storage.js";

const byId = (id) => document.getElementById(id);
const { day, passes } = kit;
const level = { ...kit.play, column: kit.column };
const tell = messageIn(byId("refusal"));
const grid = document.querySelector(".sheet-grid");
const buttons = new Map();
for (const button of grid.querySelectorAll("button")) buttons.set(button.dataset.at, button);

let played = stored();
let trackAt = ""; // field for which the player chooses a track

// Return the stored game. If somebody has changed its words, it ends before the first that breaks a rule, also in the
// storage.
function stored() {
  let game = begin(level);
  try {
    for (const word of storedWords(day)) game = withWord(level, passes, game, word);
  } catch (fault) {
    if (!(fault instanceof RuleViolation)) throw fault;
    storeWords(day, game.words, storedTotal(day));
  }
  return game;
}

// The day of this device ---------------------------------------------------------------------------

const addressOf = (other) => location.pathname.replace(day, other);

// Show links if the device's date is not the day of this sheet. A link to today's sheet leads to the day of this device,
// but not out of a game that goes on after midnight.
function checkDay() {
  const here = dayHere();
  const isPlaying = played.words.length > 0 && !isOver();
  if (here !== day && location.hash === "#today" && !isPlaying) {
    location.replace(`${addressOf(here)}#today`);
    return;
  }
  const isAhead = day > here;
  byId("not-yet").hidden = !isAhead;
  byId("to-today").hidden = here === day;
  byId("to-today").href = addressOf(here);
  for (const id of ["tap", "bar", "pool", "task"]) byId(id).hidden = isAhead;
}

// Drawing ----------------------------------------------------------------------------------------

const phaseOf = ({ game }) => game.phase;
const isOver = () => phaseOf(played) === "finished";

function markOf(at) {
  const { phase, owed, sheet } = played.game;
  if (level.column.printed.includes(at)) return null;
  // A die stays until its track is drawn.
  const isLeft = level.isRail && phase === "marking" && owed.includes(at);
  if (sheet.dice.has(at) || isLeft) return `die-${level.numbers[at]}`;
  if (at in sheet.tracks) return sheet.tracks[at];
  if (sheet.flown.has(at)) return "rocket";
  if (sheet.crosses.has(at)) return "cross";
  return sheet.lava.has(at) ? "lava" : "";
}

// Return for each field in reach whether a tap on it is carried out now (`strong`).
function reach() {
  const { game } = played;
  const { phase, sheet } = game;
  if (phase === "turn") {
    const fits = new Set(legalFields(level, game));
    return Object.fromEntries(targets(level, sheet).map((at) => [at, fits.has(at) ? "strong" : "faint"]));
  }
  if (phase === "marking") {
    const isNext = (at) => !level.isRail || at === trackAt;
    return Object.fromEntries(choices(level, game).map((at) => [at, isNext(at) ? "strong" : "faint"]));
  }
  const fields = { return: [...sheet.dice], lava: game.owed }[phase] ?? [];
  return Object.fromEntries(fields.map((at) => [at, "strong"]));
}

const drawn = new Map();

function drawSheet() {
  const hints = reach();
  const owes = ["lava", "marking", "return"].includes(phaseOf(played));
  for (const [at, button] of buttons) {
    const word = markOf(at);
    if (word !== null && (drawn.get(at) ?? "") !== word) {
      drawMarks(button, word);
      drawn.set(at, word);
    }
    const hint = hints[at] ?? "";
    if (hint) button.dataset.hint = hint;
    else delete button.dataset.hint;
    const said = markTypes[word ?? button.dataset.printed]?.said;
    const reachWords = hint && say(owes ? "choose" : hint === "strong" ? "fits" : "faint");
    button.setAttribute("aria-label", [button.dataset.label, said, reachWords].filter(Boolean).join(", "));
  }
  const open = openedColours(level, played.game.sheet);
  for (const lock of document.querySelectorAll("[data-lock]")) {
    lock.toggleAttribute("data-open", open.includes(lock.dataset.lock));
  }
  grid.dataset.means = `${played.game.passesDone} ${phaseOf(played)}`;
}

function drawRounds() {
  const { passesDone } = played.game;
  const words = roundWords();
  const boxes = Array.from({ length: level.rounds }, (_, i) =>
    make("span", { class: "round-box", "aria-hidden": "true" },
      make("i", { class: i < passesDone ? "done" : i === passesDone && !isOver() ? "now" : "" })),
  );
  byId("rounds").replaceChildren(forEars(words), ...boxes);
  byId("rounds").title = words;
}

function roundWords() {
  const round = Math.min(played.game.passesDone + 1, level.rounds);
  return say("round", { round: isOver() ? played.game.passesDone : round, rounds: level.rounds });
}

const pictures = (dice) => dice.map((die) => picture(`die-${die}`));

// Return the dice of the volcano, or the extra dice, if they were thrown last, as elements.
function thrownDice() {
  const { words, game, lastThrow } = played;
  if (words.at(-1) !== THROW || lastThrow.passesDone !== game.passesDone) return [];
  const label = { erupt: "volcano", extra: "extraDice" }[lastThrow.phase];
  if (!label) return [];
  const said = [`${say(label)} `, forEars(lastThrow.dice.join(", "))];
  return [make("span", { class: "thrown-by" }, ...said, ...pictures(lastThrow.dice))];
}

function drawPool() {
  const { pool } = played.game;
  const dice = [forEars(`${say("pool")} ${pool.join(", ")}.`), ...pictures(pool)];
  byId("pool").replaceChildren(...(pool.length ? dice : []), ...thrownDice());
}

// Return the name of the sentence that says what the player is asked to do.
function taskName() {
  const { game } = played;
  switch (game.phase) {
    case "turn":
      if (!legalFields(level, game).length) return "reroll";
      return isBoxedIn(level, game) ? "jump" : "place";
    case "marking":
      if (level.isRail) return "track";
      return game.owed.length > 1 ? "rockets" : "rocket";
    case "finished":
      return "over";
    default:
      return game.phase;
  }
}

const task = () => say(taskName(), { count: phaseOf(played) === "roll" ? level.dice : played.game.owed.length });

function drawBar() {
  const { game } = played;
  const isStuck = taskName() === "reroll";
  const throws = diceToRoll(level, game) > 0 && (game.phase !== "turn" || isStuck);
  byId("throw").hidden = !throws;
  if (throws) byId("throw").textContent = say(`${isStuck ? "reroll" : game.phase}Button`);
  byId("drop").hidden = !isStuck;
  byId("undo").disabled = !undone(played.words) || isSent();
  byId("to-result").hidden = !isOver();
  byId("bar").querySelector(".shapes")?.remove();
  if (trackAt) byId("bar").prepend(shapeButtons());
}

function shapeButtons() {
  const shapes = byId("shapes").content.firstElementChild.cloneNode(true);
  shapes.querySelector("b").textContent = trackAt;
  for (const button of shapes.querySelectorAll("button")) {
    button.setAttribute("aria-label", `${trackAt} ${button.dataset.label}`);
  }
  return shapes;
}

function drawResult() {
  byId("result").hidden = !isOver();
  if (!isOver()) return;
  const total = played.totals.at(-1);
  byId("result-points").textContent = points(total);
  byId("grade").replaceChildren(...gradeLines(gradeOf(total)));
  byId("better").textContent = comparisonSentence(kit.bots, total);
  drawBots(byId("bots"), kit.bots, total);
  const square = (kind) => make("span", { class: `square square-${kind}`, "aria-hidden": "true" });
  byId("squares").replaceChildren(
    ...squareKinds(played.totals).map(square),
    forEars(played.totals.map((sum, i) => say("passOver", { round: i + 1, points: points(sum) })).join(" ")),
  );
}

function draw() {
  const score = scoreSheet(level.column, played.game.sheet, true);
  if (!level.isRail || !choices(level, played.game).includes(trackAt)) trackAt = "";
  drawSheet();
  drawRounds();
  drawPool();
  byId("task").textContent = task();
  byId("points").textContent = points(score.total);
  drawColumn(document.querySelector(".points table"), score);
  drawBar();
  drawResult();
}

// Acts -------------------------------------------------------------------------------------------

// Store other words, unless another tab has stored some meanwhile: then show those. Returns whether they are stored.
function keep(fresh) {
  if (storedWords(day).join(" ") !== played.words.join(" ")) {
    takeOver();
    tell(say("otherTab"));
    return false;
  }
  played = fresh;
  trackAt = "";
  byId("not-kept").hidden = storeWords(day, played.words, isOver() ? played.totals.at(-1) : undefined);
  draw();
  return true;
}

function takeOver() {
  played = stored();
  draw();
}

function refuse({ rule, facts }, at) {
  const variant = facts.phase ?? facts.colour ?? facts.do ?? ("die" in facts && rule === "no-such-die" ? "die" : "");
  tell(fill(kit.refusals[[rule, variant].filter(Boolean).join(" ")], facts));
  const field = document.querySelector(`[data-field="${at}"]`);
  if (field) flash(field, "refused", 900);
}

// Carry out a word. Returns whether it was carried out.
function act(word, at = "") {
  tell("");
  const before = played;
  try {
    if (!keep(withWord(level, passes, played, word))) return false;
  } catch (violation) {
    if (!(violation instanceof RuleViolation)) throw violation;
    refuse(violation, at);
    return false;
  }
  const { game, totals } = played;
  const ended = totals.length > before.totals.length;
  const over = ended && say("passOver", { round: totals.length, points: points(totals.at(-1)) });
  const dice = word === THROW && played.lastThrow.dice.join(", ");
  const pool = game.phase === "turn" && `${say("pool")} ${game.pool.join(", ")}`;
  announce(dice, over, pool, task());
  if (isOver()) byId("result").scrollIntoView({ block: "nearest" });
  return true;
}

// A click without a pointer comes from a key.
const isKey = ({ detail }) => detail === 0;

function chooseTrack(at) {
  trackAt = at;
  draw();
  byId("bar").querySelector(".shapes button").focus({ preventScroll: true });
}

grid.addEventListener("click", (event) => {
  const at = event.target.closest("button")?.dataset.at;
  if (!at || isDoubleTap(at)) return;
  const isTrack = level.isRail && phaseOf(played) === "marking" && played.game.owed.includes(at);
  if (isTrack) chooseTrack(at);
  else if (act(at, at) && !byId("throw").hidden) focusNext(event);
});

// After a key, focus what comes next, because the pressed button has disappeared or is disabled.
function focusNext(event) {
  if (!isKey(event)) return;
  const field = grid.querySelector("[data-hint^=strong]") ?? grid.querySelector("[data-hint]") ?? byId("sheet");
  if (isOver()) byId("result").focus();
  else (byId("throw").hidden ? field : byId("throw")).focus();
}

for (const [id, word] of [["throw", THROW], ["drop", DROP_OUT]]) {
  byId(id).addEventListener("click", (event) => act(word) && focusNext(event));
}

byId("undo").addEventListener("click", (event) => {
  tell("");
  const words = undone(played.words);
  if (!words || !keep(replay(level, passes, words))) return;
  announce(task());
  if (byId("undo").disabled) focusNext(event);
});

byId("bar").addEventListener("click", ({ target }) => {
  const shape = target.closest?.("[data-shape]")?.dataset.shape;
  if (!shape) return;
  const at = trackAt;
  act(at + shape, at);
  buttons.get(at).focus({ preventScroll: true });
});

addEventListener("storage", ({ key }) => key === nameOf(day) && takeOver());
addEventListener("pageshow", checkDay);
document.addEventListener("visibilitychange", checkDay);

// Share ------------------------------------------------------------------------------------------

byId("share").addEventListener("click", async ({ currentTarget }) => {
  const field = byId("shared-text");
  field.value = sharedText(played.totals);
  if (navigator.share) {
    navigator.share({ text: field.value }).catch(() => {}); // the user has closed the share menu
    return;
  }
  const { copied, notCopied } = currentTarget.dataset;
  field.hidden = false;
  byId("share-status").textContent = (await copyField(field)) ? copied : notCopied;
});

function drawEarlierDays() {
  for (const link of document.querySelectorAll("[data-played]")) {
    const total = storedTotal(link.dataset.played);
    if (total !== undefined) link.nextElementSibling.textContent = points(total);
  }
}

addEventListener("pageshow", drawEarlierDays);
draw();
checkDay();
enableGroups(() => played.words.join(" "), draw);
