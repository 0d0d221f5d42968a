// Fills `#kept-games` with links to the games stored on this device.
import { keptGames } from "./games.js";

const list = document.getElementById("kept-games");
const wanted = document.getElementById("scoring")?.dataset.key; // on a level's page, only games of this level

export function drawGameList() {
  const games = keptGames().filter(({ level }) => !wanted || wanted === `here.${level}`);
  list.replaceChildren(...games.map(entry));
  list.hidden = !games.length;
  const section = list.closest("section#kept");
  if (section) section.hidden = !games.length;
}

function entry({ id, address, shownNames, levelName, touched }) {
  const day = new Date(touched).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" });
  const link = document.createElement("a");
  link.className = "kept-game";
  link.href = `${address}#${id}`;
  const names = document.createElement("b");
  names.textContent = shownNames.join(", ");
  const level = document.createElement("span");
  level.textContent = levelName;
  names.translate = level.translate = false;
  link.append(names, " ", level, ` · ${day}`);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

drawGameList();
addEventListener("pageshow", drawGameList);
addEventListener("storage", drawGameList);
