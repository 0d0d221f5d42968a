// What somebody has marked on a scored sheet, on its way to the server. It waits on the device:
// closing the browser loses nothing, and all tabs share it.
import { postJson, sharedQueue } from "../lib/json_outbox.js";
import { makeOutbox } from "../lib/outbox.js";
import { deviceStore } from "../lib/store.js";
import { number, page } from "./place.js";

export const outboxName = `dizzle.outbox.${page.dataset.key}`;

// `told` is what an outbox tells (see lib/outbox.js). Who may only look sends nothing.
export function scoreOutbox(told) {
  const outbox = makeOutbox({
    queue: sharedQueue(deviceStore, outboxName),
    post: (acts) => postJson(page.dataset.actsUrl, { acts, shown: number }),
    together: 50,
    ...told,
  });
  if (!("canEdit" in page.dataset)) outbox.stop();
  return outbox;
}
