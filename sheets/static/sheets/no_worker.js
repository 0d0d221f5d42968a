// Where nothing is to be kept any more (OFFLINE=no): takes the place of the worker, empties what that
// has kept, and goes.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  const go = async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("dizzle-"));
    await Promise.all(names.map((name) => caches.delete(name)));
    await registration.unregister();
  };
  event.waitUntil(go());
});

// A page from memory may have asked for a worker once more.
addEventListener("fetch", () => registration.unregister());
