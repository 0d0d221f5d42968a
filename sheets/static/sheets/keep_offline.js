// Once a page has what it needs itself, a worker keeps pages for when there is no network. Where there is to be
// none any more (OFFLINE=no), what one kept while it ended brings the one that empties all (no_worker.js).
addEventListener("load", async () => {
  const isWanted = "worker" in document.body.dataset || (await window.caches?.keys())?.length;
  if (isWanted) navigator.serviceWorker?.register("/worker.js").catch(() => {});
});
