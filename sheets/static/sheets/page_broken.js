// Where a script has failed, a tap may have had no effect, and the page says so.
import { sayUnsent } from "./file_drop.js";

const say = () => sayUnsent(document.body.dataset.broken);

addEventListener("error", ({ error, filename }) => error && filename.startsWith(location.origin) && say());
// A request that was given up, or a sound that may not be played, is no failure.
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof Error && !(reason instanceof DOMException)) say();
});
