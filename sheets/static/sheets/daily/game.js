// Solo game with thrown dice, one pass after the other: port of sheets/rules/ (turns.py, placement.py, effects.py,
// volcano.py) for one player. tests/browser/test_daily_scripts.py compares both on thousands of games.
//
// `level` is the data of `solo_level` (sheets/daily/solo_level.py), with the level's score column as `column`. A game
// has `phase`, `passesDone`, the sorted `pool`, `thrown` (number of dice thrown in this pass), and `owed`: in phase
// `lava` the fields to choose from, in phase `marking` the fields that need a track on a rail level, else the rockets
// that still fly. Its `sheet` is one of offline_scoring/scoring.js, with the fields of `dice`, and those crossed by
// rockets (`flown`). No game or sheet is ever changed.
import { isReached } from "../offline_scoring/paper_scoring.js";

const EXTRA_DICE = 2;

// A well-formed action that the rules forbid. `rule` and `facts` are those of sheets/rules/violations.py.
export class RuleViolation extends Error {
  constructor(rule, facts = {}) {
    super(rule);
    this.rule = rule;
    this.facts = facts;
  }
}

const forbid = (rule, facts) => {
  throw new RuleViolation(rule, facts);
};

// Fields -----------------------------------------------------------------------------------------

const inOrder = (level, fields) => level.fields.filter((at) => fields.has(at));
const union = (set, fields) => new Set([...set, ...fields]);
const touching = (level, fields) => new Set([...fields].flatMap((at) => level.near[at]));

// Return the closed locks: a crossed key opens all locks of its colour.
function closedLocks(level, { crosses }) {
  const closed = Object.entries(level.locks).filter(([colour]) => !level.keys[colour]?.some((at) => crosses.has(at)));
  return new Map(closed.flatMap(([colour, fields]) => fields.map((at) => [at, colour])));
}

// Return the colours whose locks are open.
export const openedColours = (level, { crosses }) =>
  Object.keys(level.keys).filter((colour) => level.keys[colour].some((at) => crosses.has(at)));

function isFree(level, sheet) {
  const closed = closedLocks(level, sheet);
  return (at) =>
    level.numbers[at] && !sheet.crosses.has(at) && !sheet.dice.has(at) && !sheet.lava.has(at) && !closed.has(at);
}

const nearDice = (level, sheet) => [...touching(level, sheet.dice)].filter(isFree(level, sheet));

// Return the fields that the next die may go on, for any number.
export function targets(level, sheet) {
  const near = nearDice(level, sheet);
  const found = near.length ? near : [...touching(level, sheet.crosses)].filter(isFree(level, sheet));
  return inOrder(level, new Set(found));
}

function checkField(level, sheet, at) {
  if (!(at in level.numbers)) forbid("no-field", { at });
  if (sheet.crosses.has(at) || sheet.dice.has(at)) forbid("field-taken", { at });
  if (!level.numbers[at]) forbid("no-number", { at });
  if (sheet.lava.has(at)) forbid("lava", { at });
  const colour = closedLocks(level, sheet).get(at);
  if (colour) forbid("locked", { at, colour });
}

function checkPlacement(level, sheet, at, die) {
  checkField(level, sheet, at);
  if (!targets(level, sheet).includes(at)) {
    forbid(nearDice(level, sheet).length ? "not-next-to-die" : "not-next-to-cross", { at });
  }
  const number = level.numbers[at];
  if (die && die !== number) forbid("wrong-number", { at, die, number });
}

export const planetsLeft = (level, { crosses, lava }) =>
  level.planets.filter((at) => !crosses.has(at) && !lava.has(at));

// Queries ----------------------------------------------------------------------------------------

// Return the fields that take a die of the pool.
export const legalFields = (level, game) =>
  game.phase === "turn" ? targets(level, game.sheet).filter((at) => game.pool.includes(level.numbers[at])) : [];

// Return whether the player has dice, but no free field next to one.
export const isBoxedIn = (level, { phase, sheet }) =>
  phase === "turn" && sheet.dice.size > 0 && !nearDice(level, sheet).length;

// Return the fields to choose from.
export const choices = (level, { phase, owed, sheet }) =>
  phase === "marking" && !level.isRail ? planetsLeft(level, sheet) : owed;

// Return the number of dice that the roll of this phase has, 0 without a roll.
export const diceToRoll = (level, { phase, pool }) =>
  ({ erupt: 1, roll: level.dice, turn: pool.length, extra: EXTRA_DICE })[phase] ?? 0;

const isFull = (level, { crosses, lava }) =>
  level.fields.every((at) => crosses.has(at) || lava.has(at) || level.volcanoes.includes(at));

// Passes -----------------------------------------------------------------------------------------

export function newGame(level) {
  const { column } = level;
  const sheet = {
    crosses: new Set(column.printed),
    dice: new Set(),
    exploded: new Set(), // bombs explode only on the sheets of others
    lava: new Set(),
    tracks: { ...column.printedTracks },
    circled: {},
    flown: new Set(),
  };
  return beginPass(level, { passesDone: 0, sheet });
}

const beginPass = (level, { passesDone, sheet }) => {
  const phase = level.volcanoes.length ? "erupt" : "roll";
  return { phase, passesDone, pool: [], thrown: 0, owed: [], sheet };
};

const beginTurn = (level, game) =>
  targets(level, game.sheet).length ? { ...game, phase: "turn" } : endPass(level, game);

function awardNumbers(level, kind, sheet) {
  const circled = { ...sheet.circled };
  for (const track of level.column.tracks) {
    if (track.kind === kind && !(track.place in circled) && isReached(track, sheet)) {
      circled[track.place] = track.numbers[0] ?? 0;
    }
  }
  return { ...sheet, circled };
}

function endPass(level, game) {
  const { dice } = game.sheet;
  const crosses = union(game.sheet.crosses, dice);
  const sheet = awardNumbers(level, "flag", { ...game.sheet, crosses, dice: new Set() });
  const rockets = level.rockets.filter((at) => dice.has(at));
  // A rocket without a planet left is lost.
  const owed = level.isRail ? inOrder(level, dice) : rockets.slice(0, planetsLeft(level, sheet).length);
  const ended = { ...game, phase: "marking", pool: [], owed, sheet };
  return owed.length ? ended : finishPass(level, ended);
}

function finishPass(level, game) {
  const sheet = awardNumbers(level, "race", game.sheet);
  const passesDone = game.passesDone + 1;
  if (passesDone < level.rounds && !isFull(level, sheet)) return beginPass(level, { passesDone, sheet });
  return { ...game, phase: "finished", passesDone, owed: [], sheet };
}

// Actions ----------------------------------------------------------------------------------------

const sorted = (dice) => [...dice].sort();

function checkDice(level, game, dice) {
  const count = diceToRoll(level, game);
  if (dice.length !== count) forbid("bad-dice", { count, given: dice.length });
  return { ...game, thrown: game.thrown + count };
}

function checkPhase({ phase }, needed, act) {
  if (phase !== needed) forbid("not-now", { do: act, phase });
}

// Reroll and dropping out are forbidden while a die fits.
function checkStuck(level, game, act) {
  checkPhase(game, "turn", act);
  if (legalFields(level, game).length) forbid("must-place");
}

// Check a choice of lava, planet or track.
function checkChoice(level, game, act, at) {
  const needed = act === "lava" ? "lava" : "marking";
  if (game.phase !== needed || !game.owed.length) forbid("not-now", { do: act, phase: game.phase });
  if (!(at in level.numbers)) forbid("no-field", { at });
  if (!choices(level, game).includes(at)) forbid("not-a-choice", { at, do: act });
}

const withChoice = (level, game, sheet, owed) =>
  owed.length ? { ...game, sheet, owed } : finishPass(level, { ...game, sheet, owed });

const ACTS = {
  erupt(level, game, { dice: [number] }) {
    checkPhase(game, "erupt", "erupt");
    const { sheet } = game;
    const near = touching(level, union(sheet.lava, level.volcanoes));
    const isCandidate = (at) => level.numbers[at] === number && !sheet.crosses.has(at) && !sheet.lava.has(at);
    const owed = inOrder(level, near).filter(isCandidate);
    return { ...game, thrown: game.thrown + 1, phase: owed.length ? "lava" : "roll", owed };
  },

  lava(level, game, { at }) {
    checkChoice(level, game, "lava", at);
    return { ...game, phase: "roll", owed: [], sheet: { ...game.sheet, lava: union(game.sheet.lava, [at]) } };
  },

  roll(level, game, { dice }) {
    checkPhase(game, "roll", "roll");
    return beginTurn(level, { ...checkDice(level, game, dice), pool: sorted(dice) });
  },

  place(level, game, { at, die = 0 }) {
    checkPhase(game, "turn", "place");
    checkPlacement(level, game.sheet, at, die);
    const number = level.numbers[at];
    const taken = game.pool.indexOf(number);
    if (taken < 0) forbid("no-such-die", { at, die: number });
    const pool = game.pool.filter((_, i) => i !== taken);
    const placed = { ...game, pool, sheet: { ...game.sheet, dice: union(game.sheet.dice, [at]) } };
    return pool.length ? { ...placed, phase: "extra" } : endPass(level, placed);
  },

  extra(level, game, { dice }) {
    checkPhase(game, "extra", "extra");
    const rolled = checkDice(level, game, dice);
    const pool = [...game.pool];
    for (const die of dice) if (pool.includes(die)) pool.splice(pool.indexOf(die), 1);
    return pool.length ? beginTurn(level, { ...rolled, pool }) : endPass(level, { ...rolled, pool });
  },

  reroll(level, game, { dice }) {
    checkStuck(level, game, "reroll");
    const rolled = { ...checkDice(level, game, dice), pool: sorted(dice) };
    if (legalFields(level, rolled).length) return rolled;
    return rolled.sheet.dice.size ? { ...rolled, phase: "return" } : beginTurn(level, rolled);
  },

  return(level, game, { at }) {
    checkPhase(game, "return", "return");
    if (!(at in level.numbers)) forbid("no-field", { at });
    if (!game.sheet.dice.has(at)) forbid("no-such-die", { at });
    const dice = new Set([...game.sheet.dice].filter((other) => other !== at));
    const pool = sorted([...game.pool, level.numbers[at]]);
    return beginTurn(level, { ...game, pool, sheet: { ...game.sheet, dice } });
  },

  drop(level, game) {
    if (game.phase === "return") forbid("must-return");
    checkStuck(level, game, "drop");
    return endPass(level, game);
  },

  rocket(level, game, { at }) {
    if (level.isRail) forbid("not-now", { do: "rocket", phase: game.phase });
    checkChoice(level, game, "rocket", at);
    const { crosses, flown } = game.sheet;
    const sheet = { ...game.sheet, crosses: union(crosses, [at]), flown: union(flown, [at]) };
    return withChoice(level, game, sheet, game.owed.slice(1));
  },

  track(level, game, { at, shape }) {
    if (!level.isRail) forbid("not-now", { do: "track", phase: game.phase });
    checkChoice(level, game, "track", at);
    const sheet = { ...game.sheet, tracks: { ...game.sheet.tracks, [at]: shape } };
    return withChoice(level, game, sheet, game.owed.filter((other) => other !== at));
  },
};

// Return the game after an action, as `Game.apply`. Throws a RuleViolation.
export const apply = (level, game, action) => ACTS[action.do](level, game, action);
