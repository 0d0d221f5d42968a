// Score column of a sheet, as in templates/score/_score.html.
import { picture } from "../lib/art.js";
import { detailOf, kit, make, printed } from "./words.js";

const rowOf = ({ category, key }) =>
  kit.column.rows.find((row) => row.category === category && (row.pays === "tracks" || row.key === key));

function light(item, name) {
  const row = rowOf(item);
  const detail = detailOf(row, item);
  return make(
    "button",
    {
      ...{ class: "item-light", type: "button", "aria-pressed": "false" },
      ...{ "data-key": `${item.category} ${item.key}`, "data-lit": item.fields.join(" ") },
      "data-missing": item.missing.join(" "),
    },
    ...[picture(row.sign), " ", make("span", { class: "item-name" }, name ?? row.names[item.key])],
    ...(detail ? [" ", make("span", { class: "detail" }, detail)] : []),
  );
}

const line = (kind, points, head) =>
  make("tr", { class: points ? kind : `${kind} zero` }, make("th", { scope: "row" }, head), make("td", {}, printed(points)));

function body(score, [category, { name, isSingle }]) {
  const items = score.items.filter((item) => item.category === category);
  const head = isSingle ? light(items[0], name) : name;
  const rows = isSingle ? [] : items.map((item) => line("item", item.points, light(item)));
  return make("tbody", {}, line("category", score.by[category], head), ...rows);
}

export function drawColumn(table, score) {
  const focused = document.activeElement?.closest?.(".item-light")?.dataset.key;
  for (const old of [...table.tBodies]) old.remove();
  table.tFoot.before(...Object.entries(kit.categories).map((one) => body(score, one)));
  table.tFoot.querySelector("td").textContent = printed(score.total);
  if (focused) table.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("scored"));
}
