// Queues and transport for outboxes (outbox.js) that send batches of acts as JSON.
import { requestTimeout } from "./request_timeout.js";
import { csrfToken } from "./outbox.js";

// Queue in a store (store.js) under a name, shared by all pages that share the store.
export const sharedQueue = (store, name) => ({
  read: () => store.read(name, []),
  write: (acts) => (acts.length ? store.write(name, acts) : store.forget(name)),
});

// Queue in memory. `keep(acts)` is called with each change and may store a copy.
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
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    signal: requestTimeout(),
  });

// Call `go` whenever the network is back or the page becomes visible again.
export function onReconnect(go) {
  addEventListener("online", go);
  addEventListener("pageshow", go);
  document.addEventListener("visibilitychange", () => document.hidden || go());
}
