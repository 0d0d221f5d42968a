// Adds what was scored on this device to the list of games.
import { forgetAllRecent, recent } from "../lib/recent.js";
import "./own_levels.js";

const section = document.getElementById("recent");
const list = section.querySelector("ul");
const button = section.querySelector("button");

function isOurs(url) {
  try {
    return new URL(url, location).origin === location.origin;
  } catch {
    return false;
  }
}

// In the page's language, in the way of the country that the browser is set to, if it speaks it.
function locale() {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one.split("-")[0] === lang) ?? lang;
}

function sentence(when) {
  const date = new Date(when);
  if (Number.isNaN(date.getTime())) return "";
  const words = new Intl.DateTimeFormat(locale(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
  return section.dataset.sentence.replace("{when}", words.format(date));
}

function line(name, text, className = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function item(entry) {
  const link = document.createElement("a");
  link.className = "card game";
  link.href = entry.url;
  link.append(line("strong", entry.title || entry.url));
  if (entry.result) link.append(line("span", entry.result));
  link.append(line("span", sentence(entry.when), "game-now"));
  const row = document.createElement("li");
  row.append(link);
  return row;
}

const items = recent()
  .filter((entry) => isOurs(entry.url))
  .map(item);

function show() {
  button.hidden = items.length === 0;
  section.hidden = list.childElementCount === 0;
}

button.addEventListener("click", () => {
  forgetAllRecent();
  for (const one of items.splice(0)) one.remove();
  show();
});

list.append(...items);
show();
