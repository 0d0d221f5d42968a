// Tells the end of a pass, effect after effect; each line can be looked at again.
import { latest, onState, page } from "./live.js";

const byId = (id) => document.getElementById(id);
const LINE_MS = 2200;
const panel = byId("telling");
const told = new Set();
let waiting = [];
let timer;

const lines = () => [...document.querySelectorAll("#_story li")];
const keyOf = (line) => `${line.closest("details").dataset.entry} ${line.textContent}`;

function light(fields) {
  for (const field of document.querySelectorAll(".art-field")) {
    field.classList.toggle("lit", fields.includes(field.dataset.field));
  }
}

function tellNext() {
  clearTimeout(timer);
  const line = waiting.shift();
  if (!line) {
    panel.hidden = true;
    page.classList.remove("is-telling");
    light([]);
    return;
  }
  panel.hidden = false;
  page.classList.add("is-telling");
  panel.querySelector("p").textContent = line.text;
  light(line.players.includes(String(latest().shown)) ? line.fields : []);
  timer = setTimeout(tellNext, LINE_MS);
}

function tellNew() {
  const fresh = lines().filter((line) => !told.has(keyOf(line)));
  for (const line of fresh) told.add(keyOf(line));
  if (document.hidden || !fresh.length) return;
  const isTelling = !panel.hidden;
  waiting.push(
    ...fresh.map((line) => ({
      text: line.textContent,
      fields: line.dataset.lit.split(" "),
      players: line.dataset.players.split(" "),
    })),
  );
  if (!isTelling) tellNext();
}

function skip() {
  waiting = [];
  tellNext();
}

panel.addEventListener("click", skip);
byId("tap").addEventListener("submit", () => panel.hidden || skip());
document.addEventListener("click", (event) => {
  const line = event.target.closest("#_story li");
  if (!line) return;
  light(line.dataset.lit.split(" "));
  byId("sheet").scrollIntoView({ block: "nearest" });
  setTimeout(() => light([]), LINE_MS);
});
for (const line of lines()) told.add(keyOf(line)); // told before this page was opened

onState(tellNew);
