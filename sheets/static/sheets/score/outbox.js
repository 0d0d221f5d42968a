// Outbox for the marks of a scoring. All tabs share it, and closing the browser loses nothing.
import { makeOutbox, postJson } from "../lib/outbox.js";
import { number, page } from "./page.js";

// Return the outbox. Without the right to edit, it sends nothing.
export function scoreOutbox(callbacks) {
  const outbox = makeOutbox({
    name: `dizzle.outbox.${page.dataset.key}`,
    post: (acts) => postJson(page.dataset.actsUrl, { acts, shown: number }),
    together: 50,
    ...callbacks,
  });
  if (!("canEdit" in page.dataset)) outbox.stop();
  return outbox;
}
