// Once a page has what it needs itself, a worker keeps pages for when there is no network. Where there is
// none any more (OFFLINE=no), what one kept last goes, too: it may have been at it when it ended.
const { worker } = document.body.dataset;
const { serviceWorker } = navigator;

async function empty() {
  if (await serviceWorker?.getRegistration()) return; // that one goes by itself (no_worker.js)
  for (const name of (await window.caches?.keys()) ?? []) if (name.startsWith("dizzle-")) caches.delete(name);
}

addEventListener("load", () => (worker ? serviceWorker?.register(worker) : empty())?.catch(() => {}));
