// The lines of a score column light up their fields: one pointed at, or one chosen by a tap.
import { light } from "./light.js";

let chosen = null;

const show = (item) => light(document, item?.dataset.lit ?? "", item?.dataset.missing ?? "");
const items = () => [...document.querySelectorAll(".item-light")];
const itemAt = (element) => element.closest?.(".item-light");

function choose(item) {
  chosen = item;
  for (const other of items()) other.classList.toggle("is-on", other === chosen);
}

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
  if (chosen) document.getElementById("sheet").scrollIntoView({ block: "nearest" });
});
