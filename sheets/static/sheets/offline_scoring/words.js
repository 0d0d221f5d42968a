// Texts about scores: sentences of the page and the level, and formatting as on the site.
export const kit = JSON.parse(document.getElementById("kit").textContent);

export const printed = (number) => String(number).replace("-", "−");
export const fill = (sentence, facts) => sentence.replace(/%\((\w+)\)[sd]/g, (_, name) => facts[name]);
export const say = (name, facts = {}) => fill(kit.words[name], facts);

// French has the singular for 0, too.
const plural = new Intl.PluralRules(document.documentElement.lang);
export const points = (total) =>
  say(plural.select(Math.abs(total)) === "one" ? "point" : "points", { count: printed(total) });

// Return the title and the sentence of a grade, as elements.
export function gradeLines(rating) {
  const [title, sentence] = kit.grades[rating];
  const step = say("step", { grade: rating + 1, of: kit.grades.length });
  return [
    make("p", { class: "grade-title" }, make("b", {}, title), " ", make("span", { class: "quiet unbroken" }, step)),
    make("p", {}, sentence),
  ];
}

export const joinNames = (names) =>
  names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + kit.words.and + names.at(-1);

// Return the calculation of an item's points, as `item_detail` of sheets/scoring/sentences.py.
export function detailOf(row, { fields, missing, spoilt, points }) {
  const count = fields.length;
  if (["each", "on-loop"].includes(row.pays)) return `${count} × ${printed(row.points)}`;
  if (!row.details) return count ? `${count} × ${printed(points / count)}` : "";
  if (row.category === "flags") return count ? "" : row.details[missing.length];
  if (spoilt.length) return say("spoilt", { fields: joinNames(spoilt) });
  return row.details[missing.length];
}

// Create an element. Attributes and children that are false or missing are left out.
export function make(name, attributes = {}, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inner.filter((one) => one != null && one !== false));
  return element;
}

export const forEars = (text) => make("span", { class: "for-ears" }, text);

// Name that CSS truncates without its number, as `short_name` of sheets/templatetags/name_tags.py.
export function shortName(name) {
  const [, head, number] = /^(.*\S)(\s+\d+)$/.exec(name) ?? [null, name, ""];
  const parts = [head, number].filter(Boolean).map((part) => make("span", {}, part));
  return make("bdi", { translate: "no", class: "short-name tab-name" }, ...parts);
}

// Return the classes of a table with a column for each name, as `column_heads` there.
const TURNED_TO_REM = [18, 20, 22, 25, 30, 36, 40, 44, 48, 56, 64];
export function columnHeads(names) {
  const longest = Math.max(...names.flatMap((name) => name.match(/[^\s-]*-?/g).map((word) => word.length)));
  const needed = 8 + names.length * (longest / 2 + 0.5);
  const turned = TURNED_TO_REM.find((width) => width >= needed) ?? 64;
  return needed > 17 ? `of-${names.length} turned-${turned}` : `of-${names.length}`;
}
