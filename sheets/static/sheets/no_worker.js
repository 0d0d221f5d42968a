// Where nothing is to be kept any more (OFFLINE=no): takes the place of the worker, empties what that
// has kept, and goes.
async function empty() {
  const names = (await caches.keys()).filter((name) => name.startsWith("dizzle-"));
  await Promise.all(names.map((name) => caches.delete(name)));
}

// At once: browsers may hold on to the one before for minutes. To go is asked for here and done after.
addEventListener("install", (event) => {
  skipWaiting();
  registration.unregister();
  event.waitUntil(empty());
});

// What the one before has kept meanwhile.
addEventListener("activate", (event) => event.waitUntil(empty()));

// A page from memory may have asked for a worker once more.
addEventListener("fetch", () => registration.unregister());
