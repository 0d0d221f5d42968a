// The big screen tells the end of a pass: one effect after the other, large, its fields lit up.
import { onState, page } from "./live.js";

const panel = document.getElementById("telling");
const LINE_MS = 2600;
const told = new Set();
let waiting = [];
let timer = 0;

const lines = () => [...document.querySelectorAll("#story li")];
const keyOf = (line) => `${line.closest("[data-entry]").dataset.entry} ${line.textContent}`;

function light(line) {
  for (const paper of document.querySelectorAll(".screen-paper")) {
    const isTheirs = line?.players.includes(paper.dataset.player);
    for (const field of paper.querySelectorAll(".art-field")) {
      field.classList.toggle("lit", Boolean(isTheirs) && line.fields.includes(field.dataset.field));
    }
  }
}

let shown = null;
function next() {
  shown = waiting.shift() ?? null;
  panel.hidden = !shown;
  page.classList.toggle("is-telling", Boolean(shown));
  if (shown) panel.textContent = shown.text;
  light(shown);
  timer = shown ? setTimeout(next, LINE_MS) : 0;
}

const tellNew = () => {
  const fresh = lines().filter((line) => !told.has(keyOf(line)));
  for (const line of fresh) {
    told.add(keyOf(line));
    waiting.push({
      text: line.textContent,
      fields: line.dataset.lit.split(" "),
      players: line.dataset.players.split(" "),
    });
  }
  if (timer) light(shown); // the swap has put the sheets back
  else if (waiting.length) next();
};

for (const line of lines()) told.add(keyOf(line)); // told before this page was opened
onState(tellNew);
