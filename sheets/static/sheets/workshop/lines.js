// Tools for fields that score together: arrows, chains, areas.
import { act, beginEntry } from "./acts.js";
import { bench, square } from "./bench.js";
import { columnOf, entryKey, fieldsOf, isHole, letter, rowOf, sameSet, sortNames } from "./draft.js";
import { digits, middle, outline } from "./draw.js";
import { complain, isTooLong, reportInvalid, readNumber, readNumbers, write } from "./inputs.js";
import { byId, countPoints, empty, fill, make, makeButton, page, refill, words } from "./page.js";
import "./paint.js";

const { tools } = bench;
const { say } = words;
// A bought sheet has no default points, because its points are on the paper, and an invented number might stay.
const isOwned = Boolean(page.dataset.step);

// Fill a list of buttons; each entry is [title, what it is].
function list(holder, entries, onTap, isChosen) {
  refill(holder, entries.map(([title, what]) => {
    const attributes = isChosen ? { "aria-pressed": isChosen(what) } : { class: "button" };
    return make("li", {}, makeButton(attributes, () => onTap(what), title));
  }));
  // On a phone the entries are in a horizontal list.
  const chosen = holder.querySelector("[aria-pressed=true]");
  if (chosen) holder.scrollLeft = chosen.offsetLeft - holder.offsetLeft;
}
function ask(input) {
  reportInvalid(input);
  input.focus({ preventScroll: true });
  input.select();
}
const countFields = ({ fields }) => (fields.length === 1 ? say.oneField : fill(say.fields, { count: fields.length }));
const isSame = (a, b) => Boolean(a?.fields && b?.fields) && entryKey(a) === entryKey(b);

// Edit one of several sets of fields: a chain or an area. `entry` is null, or has no `fields` if it has none yet.
class Editing {
  entry = null;

  // `what` is the name of the act, `all` returns the entries, `input` has the points.
  constructor(what, all, input) {
    Object.assign(this, { what, all, input });
    // Otherwise the focused field would take the key as a tap.
    input?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      bench.focus();
    });
  }
  has(name) {
    return Boolean(this.entry?.fields?.includes(name));
  }
  isNow(entry) {
    return isSame(entry, this.entry);
  }
  // A chain is stored as soon as it has points.
  stored(entry) {
    return entry?.fields?.length && (this.what === "area" || entry.points !== undefined) ? entry : null;
  }
  change(now) {
    const was = this.stored(this.entry);
    // Set the entry before the act, which draws the panel again.
    this.entry = now ?? { points: this.entry.points, race: this.entry.race };
    if (was || this.stored(now)) act({ do: this.what, was, now: this.stored(now) });
    else bench.draw();
  }
  remove() {
    if (this.stored(this.entry)) act({ do: this.what, was: this.entry, now: null });
  }
  // Add a field, or remove it.
  toggle(name) {
    if (isHole(square(name))) return;
    const fields = this.entry.fields ?? [];
    const rest = this.has(name) ? fields.filter((one) => one !== name) : sortNames([...fields, name]);
    this.change(rest.length ? { ...this.entry, fields: rest } : null);
  }
  // Find the current version of the entry, because an undo may have changed its fields.
  update() {
    if (!this.stored(this.entry)) return;
    const holds = (a, b) => b.fields.every((name) => a.fields.includes(name));
    const alike = (one) => holds(one, this.entry) || holds(this.entry, one);
    this.entry = this.all().find((one) => this.isNow(one)) ?? this.all().find(alike) ?? null;
  }
  // Handlers of a tool that collects fields.
  handlers() {
    return {
      isPainting: () => Boolean(this.entry),
      isChosen: (name) => (this.entry ? this.has(name) : undefined),
      marks: () => new Map((this.entry?.fields ?? []).map((name) => [name, "chosen"])),
      paint: (name) => {
        if (this.entry && !this.has(name)) this.toggle(name);
        bench.handler().moved();
      },
    };
  }
}

// Arrows and chains -----------------------------------------------------------------------------

let edge = ""; // the arrow being edited: "row 2"
let lastPoints = isOwned ? undefined : 5; // default points of a new arrow or chain
const linePoints = byId("line-points");
const chain = new Editing("chain", () => (bench.draft.lines ?? []).filter((line) => line.fields), linePoints);
const edgeKey = (name) => {
  const [kind, which] = name.split(" ");
  return kind === "row" ? { row: Number(which) } : { column: which };
};
const edgeLine = (name) => {
  const { row, column } = edgeKey(name);
  return (bench.draft.lines ?? []).find((line) => (row ? line.row === row : line.column === column));
};
const edgeTitle = (name) => fill(name.startsWith("row") ? say.row : say.column, { which: name.split(" ")[1] });
const titleOf = ({ fields, points }, number) =>
  `${fill(say.set, { number })} · ${fields.length > 5 ? countFields({ fields }) : fields.join(" ")} · ${digits(points)}`;

tools.lines = {
  ...chain.handlers(),
  hasCursor: false,
  left: () => (chain.entry = null),
  tapEdge(name) {
    reportInvalid(linePoints);
    chain.entry = null;
    edge = name;
    // A new arrow and its points are one undo step.
    beginEntry();
    if (!edgeLine(name) && !isOwned) act({ do: "row-line", ...edgeKey(name), points: lastPoints });
    bench.draw();
    this.moved();
    before = edgeLine(name)?.points ?? lastPoints ?? null;
    linePoints.value = before ?? "";
    ask(linePoints);
    requestAnimationFrame(() => bench.toEdge(name));
  },
  isEdgeChosen: (name) => name === edge,
  open: (i) => chooseChain(chain.all()[i] ?? null),
  tap(name) {
    if (chain.entry) chain.toggle(name);
    this.moved();
  },
  key(key) {
    if (key === "r") this.tapEdge(`row ${rowOf(bench.cursor) + 1}`);
    else if (key === "c") this.tapEdge(`column ${bench.cursor[0]}`);
    else if (key === "n") chooseChain({ points: lastPoints });
    else if (key === "Enter" && chain.entry?.fields) ask(linePoints);
    else return false;
    return true;
  },
  moved() {
    if (!linePoints) return;
    if (edge && !edgeLine(edge) && !isOwned) edge = "";
    chain.update();
    list(
      byId("line-list"),
      chain.all().map((line, i) => [titleOf(line, i + 1), line]),
      (line) => chooseChain(chain.isNow(line) ? null : line),
      (line) => chain.isNow(line),
    );
    if (empty) list(byId("line-proposed"), proposedEnds(), takeEnd);
    byId("chain-hint").hidden = !chain.entry;
    byId("line-amount").hidden = !edge && !chain.entry?.fields;
    byId("line-remove").disabled = Boolean(edge) && !edgeLine(edge);
    if (empty) cropEnds();
    if (!edge && !chain.entry?.fields) return;
    byId("line-title").textContent = fill(say.pointsFor, { what: edge ? edgeTitle(edge) : countFields(chain.entry) });
    write(linePoints, (edge ? edgeLine(edge) : chain.entry)?.points);
  },
};
// Show the empty sheet's photo before the first and after the last field of a row or column, where its points may be
// printed.
function cropEnds() {
  const { row } = edgeKey(edge);
  const fields = fieldsOf(bench.grid).filter((name) => (row ? rowOf(name) + 1 === row : name[0] === edge.at(-1)));
  for (const [id, name, by] of [["line-crop-first", fields[0], -1], ["line-crop-last", fields.at(-1), 1]]) {
    byId(id).hidden = !name || !bench.photo;
    if (name) bench.photo?.crop(name, byId(id), row ? [by, 0] : [0, by]);
  }
}
// Return the arrows read from the empty sheet's photo that are not entered yet.
function proposedEnds() {
  return Object.entries(empty.arrows).map(([end, points]) => {
    const name = /\d/.test(end) ? `row ${rowOf(bench.currentName(`a${end}`)) + 1}` : `column ${letter(columnOf(bench.currentName(`${end}1`)))}`;
    return [fill(say.proposedArrow, { end: edgeTitle(name), points: countPoints(points) }), { name, points }];
  }).filter(([, { name }]) => !edgeLine(name));
}
function takeEnd({ name, points }) {
  act({ do: "row-line", ...edgeKey(name), points });
  tools.lines.tapEdge(name);
}
function chooseChain(entry) {
  reportInvalid(linePoints);
  edge = "";
  chain.entry = entry;
  bench.draw();
  tools.lines.moved();
}
let before = lastPoints; // points before the typing
linePoints?.addEventListener("focus", () => (before = (edge ? edgeLine(edge) : chain.entry)?.points ?? before));
const checkPoints = () =>
  complain(linePoints, readNumber(linePoints.value) !== null, fill(say.badNumber, { least: "−99", most: 99 }));
linePoints?.addEventListener("input", () => {
  const isBad = isTooLong(linePoints.value);
  const points = isBad ? before : readNumber(linePoints.value);
  if (points === null && !(isBad && edge)) return;
  if (!isOwned) lastPoints = points;
  if (edge) act({ do: "row-line", ...edgeKey(edge), points });
  else if (chain.entry) chain.change({ ...chain.entry, points });
  if (isBad) checkPoints();
});
linePoints?.addEventListener("change", checkPoints);
Object.assign(bench.acts, {
  "new-chain": () => chooseChain({ points: lastPoints }),
  "remove-line"() {
    if (edge) act({ do: "row-line", ...edgeKey(edge), points: null });
    else chain.remove();
    chooseChain(null);
  },
  "new-area": beginArea,
  "remove-area"() {
    area.remove();
    chooseArea(null);
  },
});

// Areas -----------------------------------------------------------------------------------------

const areas = () => bench.draft.areas ?? [];
const areaPoints = byId("area-points");
const area = new Editing("area", areas, areaPoints);
const fresh = () => {
  if (!isOwned) return { points: 5 };
  return page.dataset.step === "races" ? { race: [] } : {};
};
const offerName = (i) => letter(i).toUpperCase();
const payment = ({ race, points }) => (race ? race.map(digits).join("·") : digits(points ?? "")) || "?";
// Races and other areas are numbered separately, as in sheets/text/symbols.py.
const nameArea = (one, at) => fill(one.race ? say.race : say.area, { number: areas().slice(0, at + 1).filter((other) => !other.race === !one.race).length });
tools.areas = {
  ...area.handlers(),
  hasCursor: true,
  // Forget the chosen area, so that a later tap does not add to it.
  left: () => (area.entry = null),
  open: (i) => chooseArea(areas()[i] ?? null),
  tap(name) {
    const offered = area.entry ? null : offeredAreas().find((names) => names.includes(name));
    if (offered) return takeArea(offered);
    if (!area.entry) take(areas().find((one) => one.fields.includes(name)) ?? fresh());
    else area.toggle(name);
    if (!area.entry.fields) area.toggle(name);
    this.moved();
  },
  key(key) {
    if (key === "n") beginArea();
    else if (key === "Enter" && area.entry?.fields) ask(areaPoints);
    else return false;
    return true;
  },
  // Draw proposed areas with the letters of their buttons.
  offers: (layout) =>
    offeredAreas().map((names, i) => {
      const [x, y] = middle(layout, names[0]);
      return (
        `<path class="offered-line" d="${outline(layout, names)}"/>` +
        `<circle class="offered-mark" cx="${x}" cy="${y}" r="30"/>` +
        `<text class="offered-letter" x="${x}" y="${y + 15}">${offerName(i)}</text>`
      );
    }).join(""),
  moved() {
    if (!areaPoints) return;
    area.update();
    list(
      byId("area-list"),
      areas().map((one, i) => [`${nameArea(one, i)} · ${countFields(one)} · ${payment(one)}`, one]),
      (one) => chooseArea(area.isNow(one) ? null : one),
      (one) => area.isNow(one),
    );
    const offered = offeredAreas();
    if (empty) list(byId("area-proposed"), offered.map((names, i) => [fill(say.proposedArea, { letter: offerName(i), count: names.length }), names]), takeArea);
    // Scroll to the first proposal, once.
    if (offered.length && !isOfferSeen) toFields(offered[0]);
    isOfferSeen = true;
    const { entry } = area;
    byId("area-hint").hidden = Boolean(entry?.fields) || (Boolean(offered.length) && !entry);
    byId("area-amount").hidden = !entry?.fields;
    if (!entry?.fields) return;
    const at = areas().findIndex((one) => area.isNow(one));
    byId("area-title").textContent = fill(say.pointsFor, { what: nameArea(entry, at) });
    write(areaPoints, entry.race ? entry.race.join(" ") : entry.points);
  },
};
let isOfferSeen = false;
// The area was a race when the editing began; with one number left it remains one.
let isRace = false;
let paid = null; // the area before the typing
function note() {
  isRace = Boolean(area.entry?.race);
  paid = area.entry;
}
function take(entry) {
  area.entry = entry;
  note();
  reportInvalid(areaPoints);
}
function chooseArea(entry) {
  take(entry);
  toArea();
  bench.draw();
  tools.areas.moved();
}
// Scroll to the chosen area, or as much of it as fits.
function toArea() {
  const fields = area.entry?.fields;
  if (!fields) return;
  if (!fields.includes(bench.cursor)) [bench.cursor] = fields;
  toFields(fields);
}
// Scroll until all fields are in sight, or the first ones.
function toFields(fields) {
  requestAnimationFrame(() => [...fields].reverse().forEach(bench.toField));
}
// Return possible areas of the empty sheet's photo that are not entered yet.
function offeredAreas() {
  return (empty?.areas ?? []).map((names) => sortNames(names.map(bench.currentName)))
    .filter((names) => names.every((name) => square(name) && !isHole(square(name))) && !areas().some((one) => sameSet(one.fields, names)));
}
function takeArea(fields) {
  take(fresh());
  area.change({ ...fresh(), fields });
  toArea();
  bench.draw();
  tools.areas.moved();
  ask(areaPoints);
}
function beginArea() {
  chooseArea(fresh());
  byId("area-hint").hidden = false;
}
const readArea = (text) => {
  const numbers = readNumbers(text);
  if (!numbers) return null;
  return isRace || numbers.length > 1 ? { race: numbers } : { points: numbers[0] };
};
areaPoints?.addEventListener("focus", note);
areaPoints?.addEventListener("input", () => {
  const isBad = isTooLong(areaPoints.value);
  const pays = isBad ? paid : readArea(areaPoints.value);
  if (pays && area.entry?.fields) area.change({ ...pays, fields: area.entry.fields });
  if (isBad) complain(areaPoints, false);
});
areaPoints?.addEventListener("change", () => complain(areaPoints, readArea(areaPoints.value)));
