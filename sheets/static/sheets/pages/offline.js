// Offline page: lists of the cached pages (`#kept-own`) and of the unsent acts (`#kept-waiting`) on this device.
import { deviceStore } from "../lib/store.js";

const OWN = "dizzle-own"; // as in worker.js
const SCORING = "dizzle.outbox."; // as in score/outbox.js
const TABLE = "dizzle.table."; // as in table/acts.js

function lineOf(...parts) {
  const line = document.createElement("li");
  line.append(...parts);
  return line;
}

async function linkTo(path, kept) {
  const link = document.createElement("a");
  link.className = "to";
  link.href = path;
  const { title } = new DOMParser().parseFromString(await kept.text(), "text/html");
  link.textContent = title.replace(" · Dizzle Companion", "");
  return link;
}

async function showOwn() {
  if (!(await window.caches?.has(OWN))) return;
  const own = await caches.open(OWN);
  const list = document.querySelector("#kept-own ul");
  for (const request of (await own.keys()).reverse()) {
    const { pathname } = new URL(request.url);
    if (pathname.split("/").length < 4) continue; // a general page without link or code
    list.append(lineOf(await linkTo(pathname, await own.match(request))));
  }
  document.getElementById("kept-own").hidden = !list.children.length;
}

// Return the number of unsent acts by the path of their page.
function countWaiting() {
  const counts = new Map();
  const add = (path) => counts.set(path, (counts.get(path) ?? 0) + 1);
  for (const name of deviceStore.names(SCORING)) {
    // An earlier version stored a list of acts.
    for (const { number } of [deviceStore.read(name, [])].flat()) add(`/score/${name.split(".")[2]}/${number}/`);
  }
  for (const name of deviceStore.names(TABLE)) add(`/table/${name.split(".")[2]}/`);
  return counts;
}

async function showWaiting() {
  const waiting = document.getElementById("kept-waiting");
  const lines = [];
  let other = 0; // acts on pages that are not cached
  for (const [path, count] of countWaiting()) {
    const kept = await window.caches?.match(path, { cacheName: OWN, ignoreVary: true });
    if (kept) lines.push(lineOf(await linkTo(path, kept), `${waiting.dataset.colon} ${count}`));
    else other += count;
  }
  if (other) lines.push(lineOf(`${waiting.dataset.other}${waiting.dataset.colon} ${other}`));
  waiting.querySelector("ul").append(...lines);
  waiting.hidden = !lines.length;
}

showWaiting();
showOwn();
// If this page replaces one that is not cached, load that one when the network is back. A failed form (with another
// href) is not sent again.
addEventListener("online", () => document.querySelector('.from-memory [href=""]') && location.reload());
