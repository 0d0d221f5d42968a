// Copies a link or hands it to the device's own list of apps, as far as the browser lets us.

// The clipboard is only for safe origins; a laptop in the home network is none.
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

for (const share of document.querySelectorAll("[data-share-link]")) {
  const field = share.querySelector("[data-share-url]");
  const status = share.querySelector("[role=status]");
  const act = (name) => share.querySelector(`[data-share-act=${name}]`);

  field.addEventListener("focus", () => field.select());
  act("copy").addEventListener("click", async () => {
    const isCopied = await copied(field);
    status.textContent = isCopied ? share.dataset.copied : share.dataset.notCopied;
    if (!isCopied) field.focus();
  });
  act("send").hidden = !navigator.share;
  act("send").addEventListener("click", async () => {
    try {
      await navigator.share({ url: field.value });
    } catch {
      // Whoever closes the list of apps sends nothing, and knows it.
    }
  });
  share.querySelector("[data-share-acts]").hidden = false;
}
