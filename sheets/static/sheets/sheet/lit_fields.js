// The lines of a score column light up their fields: one pointed at, or one chosen by a tap.

let chosen = null;

function light(item) {
  for (const field of document.querySelectorAll(".art-field, .board .die")) {
    const name = field.dataset.field ?? field.dataset.die;
    field.classList.toggle("lit", Boolean(item) && item.dataset.lit.split(" ").includes(name));
    field.classList.toggle("missing", Boolean(item) && item.dataset.missing.split(" ").includes(name));
  }
}

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
  if (item || before) light(item);
});
document.addEventListener("mouseover", (event) => light(itemAt(event.target) ?? chosen));
document.addEventListener("focusin", (event) => light(itemAt(event.target) ?? chosen));
document.addEventListener("click", (event) => {
  const item = itemAt(event.target);
  if (!item) return;
  event.preventDefault();
  choose(chosen?.dataset.key === item.dataset.key ? null : item);
  light(chosen);
  if (chosen) document.getElementById("sheet").scrollIntoView({ block: "nearest" });
});
