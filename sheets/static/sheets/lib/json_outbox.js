// For outboxes (outbox.js) that send their acts as JSON, many at once: where those wait, how and when they go.
import { inTime } from "./in_time.js";
import { token } from "./outbox.js";

// Under a name of a store: all pages that share the store share the acts.
export const sharedQueue = (store, name) => ({
  read: () => store.read(name, []),
  write: (acts) => (acts.length ? store.write(name, acts) : store.forget(name)),
});

// With this page; `keep(acts)` is told of each change and may keep a copy for the next one.
export function ownQueue(acts = [], keep = () => {}) {
  return {
    read: () => acts,
    write(fresh) {
      acts = fresh;
      keep(acts);
    },
  };
}

export const postJson = (url, body) =>
  fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
    signal: inTime(),
  });

// Call this whenever the network is back or the page is looked at again.
export function whenBack(go) {
  addEventListener("online", go);
  addEventListener("pageshow", go);
  document.addEventListener("visibilitychange", () => document.hidden || go());
}
