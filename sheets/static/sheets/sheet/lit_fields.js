// Highlight the fields of the score column's line under the pointer, with the focus, or chosen by a tap.
import { highlight, announceHighlight } from "./highlight.js";

let chosen = null;
let shown = null; // null: keep the server's highlighting

function show(item) {
  if (!item && !shown) return;
  shown = item;
  highlight(document, item?.dataset.lit ?? "", item?.dataset.missing ?? "");
}
const items = () => [...document.querySelectorAll(".item-light")];
const itemAt = (element) => element.closest?.(".item-light");

function choose(item) {
  chosen = item;
  for (const other of items()) {
    other.classList.toggle("is-on", other === chosen);
    other.setAttribute("aria-pressed", other === chosen);
    if (other !== chosen) other.removeAttribute("aria-description");
  }
  nameLine();
}

// On a phone the line is out of sight, so repeat its text above the bar.
function nameLine() {
  const told = document.getElementById("lit-line");
  if (!told) return;
  told.hidden = !chosen;
  const [name, amount] = chosen?.closest("tr").cells ?? [];
  if (!name) return;
  const words = [...name.querySelectorAll(".item-name, .detail")].map((part) => part.textContent.trim());
  told.querySelector("span").textContent = words.join(", ");
  told.querySelector("b").textContent = amount.textContent.trim();
}
choose(items().find((item) => item.classList.contains("is-on")) ?? null);

// After a change the column is drawn again: restore the choice. Leave the highlighting of other scripts alone.
document.addEventListener("scored", () => {
  const before = chosen;
  choose(items().find((item) => item.dataset.key === chosen?.dataset.key) ?? null);
  const item = itemAt(document.activeElement) ?? chosen;
  if (item || before) show(item);
});
document.addEventListener("mouseover", (event) => show(itemAt(event.target) ?? chosen));
document.addEventListener("focusin", (event) => show(itemAt(event.target) ?? chosen));
document.addEventListener("click", (event) => {
  const item = itemAt(event.target);
  if (!item) return;
  event.preventDefault();
  choose(chosen?.dataset.key === item.dataset.key ? null : item);
  show(chosen);
  if (!chosen) return;
  announceHighlight(chosen);
  document.getElementById("sheet").scrollIntoView({ block: "nearest" });
});
