// Replacement for the service worker with OFFLINE=no: deletes its caches and unregisters itself.
async function empty() {
  const names = (await caches.keys()).filter((name) => name.startsWith("dizzle-"));
  await Promise.all(names.map((name) => caches.delete(name)));
}

// Skip waiting: browsers may keep the previous worker for minutes. Unregistering takes effect after this event.
addEventListener("install", (event) => {
  skipWaiting();
  registration.unregister();
  event.waitUntil(empty());
});

// Delete what the previous worker has cached meanwhile.
addEventListener("activate", (event) => event.waitUntil(empty()));

// A cached page may have registered a worker again.
addEventListener("fetch", () => registration.unregister());
