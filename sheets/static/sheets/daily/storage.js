// Games of the sheet of the day on this device: `{ record, total, groups }` by day. `record` is the text of words
// (record.js), `total` the points of a finished game, `groups` the addresses of groups that have this result.
import { deviceStore } from "../lib/store.js";

const PREFIX = "dizzle.day.";
const PLAYER = "dizzle.day-player";
export const nameOf = (day) => PREFIX + day;
const read = (day) => deviceStore.read(nameOf(day)) ?? {};

// Return the stored words of a day, none if nothing useful is stored.
export function storedWords(day) {
  const { record } = read(day);
  return typeof record === "string" && record ? record.split(" ") : [];
}

// Return the points of a finished game, else undefined.
export const storedTotal = (day) => read(day).total;

// Store the words of a day. Returns whether the device has stored them; the page has them in any case.
export const storeWords = (day, words, total) =>
  deviceStore.write(nameOf(day), { ...read(day), record: words.join(" "), total });

export const groupsWith = (day) => read(day).groups ?? [];
export const noteGroup = (day, group) =>
  deviceStore.write(nameOf(day), { ...read(day), groups: [...new Set([...groupsWith(day), group])] });

// Name that the player of this device has typed last.
export const storedPlayer = () => deviceStore.read(PLAYER, "");
export const storePlayer = (name) => deviceStore.write(PLAYER, name);
