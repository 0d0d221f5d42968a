// The commitments to dice that this device has seen before the end of a game, by code of the table.
import { deviceStore } from "../lib/store.js";

const SEEN = "dizzle.commitments";
const MOST = 30; // the oldest ones are forgotten

const read = () => deviceStore.read(SEEN, []);

export const seenAt = (code) => read().find(([of]) => of === code)?.[1];

// The first one counts: a server must not exchange it.
export function note(code, commitment) {
  if (commitment && !seenAt(code)) deviceStore.write(SEEN, [...read(), [code, commitment]].slice(-MOST));
}
