// Adds to `[data-share-link]` buttons that copy the link, or open the device's share menu, if the browser has one.
import { copyField } from "../lib/copy.js";

for (const share of document.querySelectorAll("[data-share-link]")) {
  const field = share.querySelector("[data-share-url]");
  const status = share.querySelector("[role=status]");
  const act = (name) => share.querySelector(`[data-share-act=${name}]`);

  field.addEventListener("focus", () => field.select());
  act("copy").addEventListener("click", async () => {
    const isCopied = await copyField(field);
    status.textContent = isCopied ? share.dataset.copied : share.dataset.notCopied;
    if (!isCopied) field.focus();
  });
  act("send").hidden = !navigator.share;
  act("send").addEventListener("click", async () => {
    try {
      await navigator.share({ url: field.value });
    } catch {
      // The user has closed the share menu.
    }
  });
  share.querySelector("[data-share-acts]").hidden = false;
}
