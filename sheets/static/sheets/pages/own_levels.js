// Shows the levels of one's own that this device knows. The server draws them and keeps no such list.
import { ownLevels } from "../lib/recent.js";

const section = document.getElementById("own");
const place = document.getElementById("own-levels");
const levels = ownLevels();

// As far as this device knows them by itself.
function bare({ url, title }) {
  const link = document.createElement("a");
  link.className = "card level-pick";
  link.href = url;
  link.textContent = title;
  const row = document.createElement("li");
  row.append(link);
  return row;
}

async function drawn() {
  const asked = new FormData();
  asked.append("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  asked.append("door", section.dataset.door);
  for (const { key } of levels) asked.append("key", key);
  const answer = await fetch(section.dataset.url, { method: "POST", body: asked });
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}

async function show() {
  try {
    place.innerHTML = await drawn();
  } catch {
    place.replaceChildren(...levels.map(bare));
  }
  // Those that were deleted, from another device perhaps, are none any more.
  const hasSome = place.childElementCount > 0;
  section.classList.toggle("has-some", hasSome);
  if (hasSome) section.hidden = false;
}

if (levels.length) show();
