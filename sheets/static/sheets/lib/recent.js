// What this device has scored or made last: the home page shows it, and where a level is chosen, its own.
import { deviceStore } from "./store.js";

const NAME = "dizzle.recent";
const MOST = 8; // scorings
const MOST_OWN = 24; // levels of one's own: this list may be the only way back to them
const OWN = /^\/workshop\/([\w-]{20,})\//;

const keyOf = (entry) => OWN.exec(entry.url)?.[1];
const isOwn = (entry) => Boolean(keyOf(entry));

// `{ url, title, when, result }` each, the newest first.
function noted() {
  const found = deviceStore.read(NAME, []);
  return Array.isArray(found) ? found.filter((entry) => typeof entry?.url === "string") : [];
}

// Of either kind only so many: scorings push no level out.
function write(entries) {
  const scorings = entries.filter((entry) => !isOwn(entry)).slice(0, MOST);
  const own = entries.filter(isOwn).slice(0, MOST_OWN);
  deviceStore.write(NAME, [...scorings, ...own]);
}

export const recent = () => noted().filter((entry) => !isOwn(entry));

// The levels of one's own: `{ key, url, title }` each, the newest first.
export const ownLevels = () =>
  noted()
    .filter(isOwn)
    .map((entry) => ({ ...entry, key: keyOf(entry) }));

const others = (key) => noted().filter((entry) => !entry.url.includes(key));

// Note the page at `url`, which is about the thing with this key; `result` is how it has ended.
export function noteRecent(key, url, title, result = "") {
  write([{ url, title, when: new Date().toISOString(), result }, ...others(key)]);
}

export const forgetRecent = (key) => deviceStore.write(NAME, others(key));

// The scorings; levels stay.
export const forgetAllRecent = () => deviceStore.write(NAME, noted().filter(isOwn));
