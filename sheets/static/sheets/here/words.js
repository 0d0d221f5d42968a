// What the page says about scores: its sentences and those of the level, as the site would say them.
export const kit = JSON.parse(document.getElementById("kit").textContent);

export const printed = (number) => String(number).replace("-", "−");
export const fill = (sentence, facts) => sentence.replace(/%\((\w+)\)[sd]/g, (_, name) => facts[name]);
export const say = (name, facts = {}) => fill(kit.words[name], facts);

export const joinNames = (names) =>
  names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + kit.words.and + names.at(-1);

// How an amount comes about: as `item_detail` of sheets/scoring/words.py.
export function detailOf(row, { fields, missing, spoilt, points }) {
  const count = fields.length;
  if (["each", "on-loop"].includes(row.pays)) return `${count} × ${printed(row.points)}`;
  if (!row.details) return count ? `${count} × ${printed(points / count)}` : "";
  if (row.category === "flags") return count ? "" : row.details[missing.length];
  if (spoilt.length) return say("spoilt", { fields: joinNames(spoilt) });
  return row.details[missing.length];
}

// An element with attributes and what is in it; what is false or missing is left out.
export function make(name, attributes = {}, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inner.filter((one) => one != null && one !== false));
  return element;
}

export const forEars = (text) => make("span", { class: "for-ears" }, text);

// A name that is cut where there is too little room, but for its number: as `short_name` of
// sheets/templatetags/name_tags.py.
export function shortName(name) {
  const [, head, number] = /^(.*\S)(\s+\d+)$/.exec(name) ?? [null, name, ""];
  const parts = [head, number].filter(Boolean).map((part) => make("span", {}, part));
  return make("bdi", { translate: "no", class: "short-name tab-name" }, ...parts);
}

// The classes of a table with a column for each name: as `column_heads` there.
const TURNED_TO_REM = [18, 20, 22, 25, 30, 36, 40, 44, 48, 56, 64];
export function columnHeads(names) {
  const longest = Math.max(...names.flatMap((name) => name.match(/[^\s-]*-?/g).map((word) => word.length)));
  const needed = 8 + names.length * (longest / 2 + 0.5);
  const turned = TURNED_TO_REM.find((width) => width >= needed) ?? 64;
  return needed > 17 ? `of-${names.length} turned-${turned}` : `of-${names.length}`;
}
