// Print page: loads refused drawings again, and unfolds settings with an error. htmx does the rest.
import { showChosen } from "../lib/fold_summary.js";
import { retryImage } from "../lib/retry_images.js";

// Errors of images do not bubble, so listen in the capture phase.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && retryImage(target), true);

document.addEventListener("htmx:afterSwap", () => {
  for (const fault of document.querySelectorAll(".more-settings .fault")) fault.closest("details").open = true;
  showChosen();
});
