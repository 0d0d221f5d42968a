// What this device has kept for when there is no network goes first, and for certain: before anything is
// sent, and also where nothing can be sent. The cookie goes with the server's answer.
import { inTime } from "../lib/in_time.js";
import { deviceStore, tabStore } from "../lib/store.js";

const OWN = "dizzle-own"; // as in worker.js
const form = document.getElementById("forget");
const untold = document.getElementById("untold"); // only where all is forgotten

// The worker may just be keeping a page: it has to know. Where all is forgotten, it leads other tabs away from what
// they hold.
function tellWorker() {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return null;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => port1.addEventListener("message", resolve));
  port1.start();
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

// What was read on photos, see photos/draft.js.
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
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), signal: inTime() });
    if (!answer.ok) throw new Error(String(answer.status));
    await forget(); // what other tabs have opened meanwhile
    location.replace(answer.url);
  } catch {
    untold.hidden = false;
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (untold) forgetAll();
  else forget().then(() => form.submit()); // this device becomes another one
});
