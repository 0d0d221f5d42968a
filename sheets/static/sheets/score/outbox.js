// Outbox for the marks of a scoring. The queue is stored on the device and shared by all tabs, so that closing the
// browser loses nothing.
import { postJson, sharedQueue } from "../lib/json_outbox.js";
import { makeOutbox } from "../lib/outbox.js";
import { deviceStore } from "../lib/store.js";
import { number, page } from "./page.js";

export const outboxName = `dizzle.outbox.${page.dataset.key}`;

// Return the outbox. Without the right to edit, it sends nothing.
export function scoreOutbox(callbacks) {
  const outbox = makeOutbox({
    queue: sharedQueue(deviceStore, outboxName),
    post: (acts) => postJson(page.dataset.actsUrl, { acts, shown: number }),
    together: 50,
    ...callbacks,
  });
  if (!("canEdit" in page.dataset)) outbox.stop();
  return outbox;
}
