// Games of the sheet of the day on this device: `{ record, total }` by day. `record` is the text of words
// (record.js), `total` the points of a finished game.
import { deviceStore } from "../lib/store.js";

const PREFIX = "dizzle.day.";
export const nameOf = (day) => PREFIX + day;

// Return the stored words of a day, none if nothing useful is stored.
export function storedWords(day) {
  const record = deviceStore.read(nameOf(day))?.record;
  return typeof record === "string" && record ? record.split(" ") : [];
}

// Return the points of a finished game, else undefined.
export const storedTotal = (day) => deviceStore.read(nameOf(day))?.total;

// Store the words of a day. Returns whether the device has stored them; the page has them in any case.
export const storeWords = (day, words, total) => deviceStore.write(nameOf(day), { record: words.join(" "), total });
