// Before the form `#forget` is sent, and even if it cannot be sent: deletes the pages and data stored on this device.
// The server's answer deletes the cookie.
import { requestTimeout } from "../lib/request_timeout.js";
import { deviceStore, tabStore } from "../lib/store.js";

const OWN = "dizzle-own"; // as in worker.js
const form = document.getElementById("forget");
const untold = document.getElementById("untold"); // only on the page that deletes everything

// Notify the service worker, which may be caching a page. If everything is deleted, it also navigates other tabs to
// the home page.
function tellWorker() {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return null;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => (port1.onmessage = resolve));
  worker.postMessage(untold ? "forget all" : "forget", [port2]);
  return answered;
}

async function forget() {
  await Promise.race([tellWorker(), new Promise((resolve) => setTimeout(resolve, 6000))]);
  for (const store of untold ? [deviceStore, tabStore] : []) {
    for (const name of store.names("dizzle.")) store.forget(name);
  }
  await window.caches?.delete(OWN);
  if (untold) await deletePhotos();
}

// Delete drafts of photographed sheets, see photos/draft.js.
function deletePhotos() {
  return new Promise((done) => {
    const request = indexedDB.deleteDatabase("dizzle.photos");
    request.onsuccess = request.onerror = request.onblocked = done;
  });
}

async function forgetAll() {
  untold.hidden = true;
  await forget();
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), signal: requestTimeout() });
    if (!answer.ok) throw new Error(String(answer.status));
    await forget(); // pages that other tabs have opened meanwhile
    location.replace(answer.url);
  } catch {
    untold.hidden = false;
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (untold) forgetAll();
  else forget().then(() => form.submit()); // the device gets another identity
});
