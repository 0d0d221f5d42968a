// Record of a game as a list of words, and its replay: port of sheets/daily/record.py. A word is `*` (throw the dice of
// the phase), `out`, or a field with the shape of its track, if any: `c4`, `c4NS`.
// tests/browser/test_daily_scripts.py compares both implementations.
import { RuleViolation, apply, diceToRoll, newGame } from "./game.js";
import { scoreSheet } from "../offline_scoring/scoring.js";

export const THROW = "*";
export const DROP_OUT = "out";

const FIELD = /^([a-z]\d{1,2})([NESW]*)$/;
const ON_FIELD = { turn: "place", return: "return", lava: "lava" };

// Return the dice of the next throw. `passes` has the dice of each pass as a text of digits.
function nextDice(level, passes, game) {
  const dice = passes[game.passesDone] ?? "";
  const count = diceToRoll(level, game);
  return Array.from({ length: count }, (_, i) => Number(dice[(game.thrown + i) % dice.length]));
}

function actionOf(level, passes, game, word) {
  const { phase } = game;
  if (word === THROW) return { do: phase === "turn" ? "reroll" : phase, dice: nextDice(level, passes, game) };
  if (word === DROP_OUT) return { do: "drop" };
  const found = FIELD.exec(word);
  if (!found) throw new RuleViolation("no-field", { at: word });
  const [, at, shape] = found;
  const marking = level.isRail ? "track" : "rocket";
  return { do: phase === "marking" ? marking : (ON_FIELD[phase] ?? "place"), at, shape };
}

const totalOf = (level, game) => scoreSheet(level.column, game.sheet, true).total;

// A game in play: `words`, the state `game`, the points after each finished pass as `totals`, and the last throw with its
// `dice`, `phase` and `passesDone`.
export const begin = (level) => ({ words: [], game: newGame(level), totals: [], lastThrow: null });

// Return the game in play after one more word. Throws a RuleViolation.
export function withWord(level, passes, { words, game, totals, lastThrow }, word) {
  const action = actionOf(level, passes, game, word);
  const after = apply(level, game, action);
  // Exactly the tracks have shapes.
  if (action.at && Boolean(action.shape) !== (action.do === "track")) throw new RuleViolation("no-field", { at: word });
  const isOver = after.passesDone > game.passesDone;
  return {
    words: [...words, word],
    game: after,
    totals: isOver ? [...totals, totalOf(level, after)] : totals,
    lastThrow: action.dice ? { dice: action.dice, phase: game.phase, passesDone: game.passesDone } : lastThrow,
  };
}

// Return the game in play after all of these words.
export const replay = (level, passes, words) =>
  words.reduce((played, word) => withWord(level, passes, played, word), begin(level));

// Return the words without the last one, or null if that would take back seen dice.
export const undone = (words) => (words.length && words.at(-1) !== THROW ? words.slice(0, -1) : null);
