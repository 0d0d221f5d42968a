// List of the server's errors and warnings about the draft; a tap highlights the fields.
import { known, onChange } from "./acts.js";
import { bench } from "./bench.js";
import { byId, fill, page, words } from "./page.js";
import { toDraft } from "./views.js";

const list = byId("check-list");
let drawn = "";
let litSentence = "";
// The guide hides errors that belong to later steps.
const steps = page.dataset.reached?.split(" ");
// Links of the guide to the steps that fix an error.
const waysOn = JSON.parse(byId("ways-on")?.textContent ?? "{}");
// Warning from trial games.
let played = null;
export function setPlayed(sentence) {
  played = sentence ? { isError: false, sentence, fields: [], tool: "" } : null;
  drawChecks();
}
function drawChecks() {
  const checks = known().checks.filter(({ tool }) => !steps || !tool || steps.includes(tool));
  if (played) checks.push(played);
  const text = JSON.stringify(checks);
  if (text === drawn) return;
  drawn = text;
  const chosen = checks.find((check) => check.sentence === litSentence);
  bench.lit = chosen?.fields ?? [];
  count(checks);
  list.replaceChildren();
  for (const [isError, title] of [[true, words.say.missing], [false, words.say.advice]]) {
    const some = checks.filter((check) => check.isError === isError);
    if (!some.length) continue;
    const heading = document.createElement("h3");
    heading.textContent = title;
    const items = document.createElement("ul");
    items.className = isError ? "errors" : "advice";
    for (const check of some) {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = check.sentence;
      button.setAttribute("aria-pressed", String(check === chosen));
      button.addEventListener("click", () => light(button, check));
      item.append(button);
      const way = waysOn[check.tool];
      if (way) item.append(wayOn(way));
      items.append(item);
    }
    list.append(heading, items);
  }
  if (!checks.length) {
    const fine = document.createElement("p");
    fine.className = "alert good slim fine";
    const isLater = known().checks.some(({ isError }) => isError);
    fine.textContent = !steps ? words.say.fine : isLater ? words.say.fineHere : words.say.fineSoFar;
    list.append(fine);
  }
}
function wayOn({ url, title }) {
  const link = document.createElement("a");
  link.className = "button plain";
  link.href = url;
  link.textContent = `${title} ›`;
  return link;
}
// Announce only the number of entries, and only if it changes.
let counted = -1;
function count({ length }) {
  if (counted >= 0 && counted !== length) {
    byId("check-count").textContent = length ? fill(words.say.toLookAt, { count: length }) : words.say.fine;
  }
  counted = length;
}
function light(button, check) {
  const isOn = button.getAttribute("aria-pressed") !== "true";
  for (const other of list.querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(isOn));
  litSentence = isOn ? check.sentence : "";
  if (isOn) toDraft();
  bench.lit = isOn ? check.fields : [];
  if (isOn && check.tool && document.querySelector(`[data-tool="${check.tool}"]`)) bench.choose(check.tool);
  bench.draw();
  if (isOn && check.fields.length) {
    bench.cursor = check.fields[0];
    bench.draw();
    bench.toCursor();
  }
}
onChange(drawChecks);
drawChecks();

// The page was opened to fix an error: highlight its fields, and hide its sentence when it is fixed.
const { missing } = page.dataset;
const isMissing = () => known().checks.some(({ sentence }) => sentence === missing);
document.addEventListener("DOMContentLoaded", () => {
  if (missing) [...list.querySelectorAll("button")].find((button) => button.textContent === missing)?.click();
});
if (missing) onChange(() => (byId("missing").hidden = !isMissing()));
