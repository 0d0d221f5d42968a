// Shows what was scored or made on this device.
import { forgetAllRecent, recent } from "../lib/recent.js";

const section = document.getElementById("recent");
const list = section.querySelector("ul");

function isOurs(url) {
  try {
    return new URL(url, location).origin === location.origin;
  } catch {
    return false;
  }
}

function sentence(when) {
  const date = new Date(when);
  if (Number.isNaN(date.getTime())) return "";
  const words = new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
  return section.dataset.sentence.replace("{when}", words.format(date));
}

function item(entry) {
  const title = document.createElement("strong");
  title.textContent = entry.title || entry.url;
  const link = document.createElement("a");
  link.className = "card";
  link.href = entry.url;
  link.append(title, document.createElement("br"), sentence(entry.when));
  const row = document.createElement("li");
  row.append(link);
  return row;
}

section.querySelector("button").addEventListener("click", () => {
  forgetAllRecent();
  section.hidden = true;
});

const entries = recent().filter((entry) => isOurs(entry.url));
list.append(...entries.map(item));
section.hidden = entries.length === 0;
