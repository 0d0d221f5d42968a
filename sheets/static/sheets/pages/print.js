// A drawing that did not come, because too many were asked for just then, is asked for again.
import { askAgain } from "../lib/art.js";

// An image's error does not bubble, but passes here on its way down.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && askAgain(target), true);
// Those that failed before this script was there.
for (const image of document.images) if (image.complete && !image.naturalWidth) askAgain(image);
