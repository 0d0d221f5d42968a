// Script of every page: time zone, service worker, dropped files, notice of failed scripts.
import "./reload_state.js";

// The device's time zone in a cookie, so that the server knows which day it is here.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
document.cookie = `time_zone=${timeZone};path=/;max-age=31536000`;

// Register the service worker after the page has loaded. With OFFLINE=no, this brings no_worker.js, which
// deletes all caches.
addEventListener("load", async () => {
  const isWanted = "worker" in document.body.dataset || (await window.caches?.keys())?.length;
  if (isWanted) navigator.serviceWorker?.register("/worker.js").catch(() => {});
});

// Open a level, game or score file that is dropped on the page. send_files.js loads only then, or for a form
// with files.
const words = document.body.dataset;
const sender = () => import(words.files);
if (document.querySelector("form[enctype]")) sender().catch(() => {}); // offline

// Show below a form, or at the top of the page, that something was not sent; "" removes the message.
const unsent = document.createElement("p");
export function sayUnsent(sentence, form) {
  unsent.className = "alert no-answer";
  unsent.textContent = sentence;
  unsent.setAttribute("role", "alert");
  if (!sentence) unsent.remove();
  else if (form) form.append(unsent);
  else document.getElementById("main").prepend(unsent);
}

let depth = 0;
function enter(change) {
  depth = Math.max(0, depth + change);
  document.body.classList.toggle("file-over", depth > 0);
}

// Listen to drag events with files, except over a file input, which takes files itself.
function on(name, act) {
  document.addEventListener(name, (event) => {
    const isFile = event.dataTransfer?.types.includes("Files");
    if (isFile && !event.target.closest?.('input[type="file"]')) act(event);
  });
}

on("dragenter", () => enter(1));
on("dragleave", () => enter(-1));
on("dragover", (event) => event.preventDefault());
on("drop", (event) => {
  enter(-depth);
  event.preventDefault();
  const detail = [...event.dataTransfer.files];
  sender().then(() => dispatchEvent(new CustomEvent("files", { detail })), () => sayUnsent(words.notSent));
});

// If a script fails, say that a tap may have had no effect.
const sayBroken = () => sayUnsent(document.body.dataset.broken);

addEventListener("error", ({ error, filename }) => error && filename.startsWith(location.origin) && sayBroken());
// Aborted requests and blocked sounds (DOMException) are no failures.
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason instanceof Error && !(reason instanceof DOMException)) sayBroken();
});
