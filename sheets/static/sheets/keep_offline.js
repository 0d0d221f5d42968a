// Once a page has what it needs itself, a worker keeps pages for when there is no network.
const { worker } = document.body.dataset;
if (worker) addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {}));
