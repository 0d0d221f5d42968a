// What has this device kept of what it has opened, and what waits here to be sent?
import { deviceStore, tabStore } from "../lib/store.js";

const OWN = "dizzle-own"; // as in worker.js
const SCORING = "dizzle.outbox."; // as in score/outbox.js
const TABLE = "dizzle.table."; // as in table/waiting.js

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
    if (pathname.split("/").length < 4) continue; // no link or code, but a page that everybody has
    list.append(lineOf(await linkTo(pathname, await own.match(request))));
  }
  document.getElementById("kept-own").hidden = !list.children.length;
}

// How many acts wait, by the paths of the pages that they were done on.
function countWaiting() {
  const counts = new Map();
  const add = (path) => counts.set(path, (counts.get(path) ?? 0) + 1);
  for (const name of deviceStore.names(SCORING)) {
    for (const { number } of deviceStore.read(name, [])) add(`/score/${name.slice(SCORING.length)}/${number}/`);
  }
  for (const name of deviceStore.names(TABLE)) add(`/table/${name.split(".")[2]}/`);
  // Since before an update.
  for (const name of tabStore.names(TABLE)) {
    for (const _ of tabStore.read(name, [])) add(`/table/${name.slice(TABLE.length)}/`);
  }
  return counts;
}

async function showWaiting() {
  const waiting = document.getElementById("kept-waiting");
  const lines = [];
  let other = 0; // done on pages that are not kept
  for (const [path, count] of countWaiting()) {
    const kept = await window.caches?.match(path, { cacheName: OWN, ignoreVary: true });
    if (kept) lines.push(lineOf(await linkTo(path, kept), `: ${count}`));
    else other += count;
  }
  if (other) lines.push(lineOf(`${waiting.dataset.other}: ${other}`));
  waiting.querySelector("ul").append(...lines);
  waiting.hidden = !lines.length;
}

showWaiting();
showOwn();
// It stands where a page was wanted that is not kept: with the network that one comes. Where a form was sent that did
// not get through, nothing is sent again.
addEventListener("online", () => document.querySelector('.from-memory [href=""]') && location.reload());
