// The lines of a score column light up their fields: one pointed at, or one chosen by a tap.
import { light, tellLit } from "./light.js";

let chosen = null;
let shown = null; // until then the sheet is lit as it came

function show(item) {
  if (!item && !shown) return;
  shown = item;
  light(document, item?.dataset.lit ?? "", item?.dataset.missing ?? "");
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

// On a phone the line itself is out of sight: its words stand over the bar.
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

// After a change the column is drawn anew, and a board; what others light up is left alone.
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
  tellLit(chosen);
  document.getElementById("sheet").scrollIntoView({ block: "nearest" });
});
