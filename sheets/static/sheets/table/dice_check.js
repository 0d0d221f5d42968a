// Check of a game's dice: computes them from the seed, independently of the server. `crypto.subtle` is missing on
// plain HTTP, hence the library.
import { sha256 } from "../lib/js-sha256/sha256.min.js";

const LIMIT = 252; // the greatest multiple of 6 that is a byte; bytes from here on are skipped

const bytesOf = (hex) => (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16));

export const commitmentTo = (seed) => sha256(bytesOf(seed));

// Return the first dice of the sequence with this label.
export function diceOf(seed, label, count) {
  const dice = [];
  for (let block = 0; dice.length < count; block += 1) {
    const bytes = sha256.hmac.array(bytesOf(seed), `${label}:${block}`);
    dice.push(...bytes.filter((byte) => byte < LIMIT).map((byte) => (byte % 6) + 1));
  }
  return dice.slice(0, count);
}

// Return null if all dice agree with the proof, else what differs: the commitment, or the first die of a sequence.
export function findDifference({ commitment, seed, contributions, sequences }) {
  if (commitmentTo(seed) !== commitment) return { what: "commitment" };
  const all = contributions.join(",");
  for (const { player, name, dice, fixed } of sequences) {
    const checked = dice.slice(0, fixed ?? dice.length);
    const expected = diceOf(seed, player === null ? all : `${all}:${player}`, checked.length);
    const at = checked.findIndex((die, place) => die !== expected[place]);
    if (at >= 0) return { what: name ? "dieOf" : "die", name, position: at + 1, found: checked[at], expected: expected[at] };
  }
  return null;
}
