// What this device has scored or made last: the home page shows it.
import { deviceStore } from "./store.js";

const NAME = "dizzle.recent";
const MOST = 8;

// `{ url, title, when }` each, the newest first.
export function recent() {
  const found = deviceStore.read(NAME, []);
  return Array.isArray(found) ? found.filter((entry) => typeof entry?.url === "string").slice(0, MOST) : [];
}

const others = (key) => recent().filter((entry) => !entry.url.includes(key));

// Note the page at `url`, which is about the thing with this key.
export function noteRecent(key, url, title) {
  deviceStore.write(NAME, [{ url, title, when: new Date().toISOString() }, ...others(key)].slice(0, MOST));
}

export const forgetRecent = (key) => deviceStore.write(NAME, others(key));

export const forgetAllRecent = () => deviceStore.forget(NAME);
