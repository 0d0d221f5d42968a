// Tools for fields that score together: arrows, chains, areas.
import { act, beginEntry } from "./acts.js";
import { bench, square } from "./bench.js";
import { columnOf, entryKey, fieldsOf, isHole, letter, rowOf, sameSet, sortNames } from "./draft.js";
import { complain, isTooLong, reportInvalid, readNumber, readNumbers, write } from "./inputs.js";
import { byId, empty, fill, page, refill, words } from "./page.js";
import "./paint.js";

const { tools } = bench;
const { say } = words;

const choosing = (holder, entries, isChosen, onChoose) => {
  refill(holder, entries.map(([title, entry]) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.setAttribute("aria-pressed", String(isChosen(entry)));
    button.addEventListener("click", () => onChoose(entry));
    item.append(button);
    return item;
  }));
  // On a phone the entries are in a horizontal list.
  const chosen = holder.querySelector("[aria-pressed=true]");
  if (chosen) holder.scrollLeft = chosen.offsetLeft - holder.offsetLeft;
};
// Show proposals read from the empty sheet's photo that are not entered yet.
const propose = (holder, proposed, onTake) => {
  if (!holder) return;
  refill(holder, proposed.map(([title, what]) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = title;
    button.addEventListener("click", () => onTake(what));
    item.append(button);
    return item;
  }));
};
const ask = (id) => {
  reportInvalid(byId(id));
  byId(id).focus({ preventScroll: true });
  byId(id).select();
};

// Arrows ----------------------------------------------------------------------------------------

let edge = ""; // "row 2"
let chain = null; // the entry being edited, or {} for one without a field
let area = null; // the same for areas
// Default points of a new arrow or chain. A bought sheet has none, because its points are on the paper, and an
// invented number might stay.
const isOwned = Boolean(page.dataset.step);
let lastPoints = isOwned ? undefined : 5;
const edgeKey = (name) => {
  const [kind, which] = name.split(" ");
  return kind === "row" ? { row: Number(which) } : { column: which };
};
const edgeLine = (name) => {
  const key = edgeKey(name);
  return (bench.draft.lines ?? []).find((line) => (key.row ? line.row === key.row : line.column === key.column));
};
const edgeTitle = (name) => fill(name.startsWith("row") ? say.row : say.column, { which: name.split(" ")[1] });
const chains = () => (bench.draft.lines ?? []).filter((line) => line.fields);
const isSame = (a, b) => Boolean(a?.fields && b?.fields) && entryKey(a) === entryKey(b);

// Return the current version of the entry being edited, because an undo may have changed its fields.
function standing(entry, entries) {
  const holds = (a, b) => b.fields.every((name) => a.fields.includes(name));
  return entries.find((one) => isSame(one, entry)) ?? entries.find((one) => holds(one, entry) || holds(entry, one)) ?? null;
}

// Add a field to the entry being edited, or remove it.
function toggle(what, name) {
  if (isHole(square(name))) return;
  const entry = what === "area" ? area : chain;
  const fields = entry.fields ?? [];
  const rest = fields.includes(name) ? fields.filter((one) => one !== name) : [...fields, name];
  change(what, rest.length ? { ...entry, fields: sortNames(rest) } : null);
}
const countFields = ({ fields }) => (fields.length === 1 ? say.oneField : fill(say.fields, { count: fields.length }));
const plain = (entry) => entry && Object.fromEntries(Object.entries(entry).filter(([key]) => ["fields", "points", "race"].includes(key)));
// A chain is stored as soon as it has points.
const isStored = (what, entry) => Boolean(entry?.fields?.length) && (what === "area" || entry.points !== undefined);
function change(what, now) {
  const entry = what === "area" ? area : chain;
  const was = isStored(what, entry) ? plain(entry) : null;
  const next = now ?? { points: entry.points, race: entry.race };
  // Set the entry before the act, which draws the panel again.
  if (what === "area") area = next;
  else chain = next;
  const stored = isStored(what, now) ? plain(now) : null;
  if (was || stored) act({ do: what, was, now: stored });
  else bench.draw();
}

tools.lines = {
  hasCursor: false,
  left: () => (chain = null),
  tapEdge(name) {
    reportInvalid(byId("line-points"));
    chain = null;
    edge = name;
    // A new arrow and its points are one undo step.
    beginEntry();
    if (!edgeLine(name) && !isOwned) act({ do: "row-line", ...edgeKey(name), points: lastPoints });
    bench.draw();
    this.moved();
    before = edgeLine(name)?.points ?? lastPoints ?? null;
    byId("line-points").value = before ?? "";
    ask("line-points");
    requestAnimationFrame(() => bench.toEdge(name));
  },
  isEdgeChosen: (name) => name === edge,
  open: (i) => chooseChain(chains()[i] ?? null),
  tap(name) {
    if (chain) toggle("chain", name);
    this.moved();
  },
  isPainting: () => Boolean(chain),
  paint(name) {
    if (chain && !chain.fields?.includes(name)) toggle("chain", name);
    this.moved();
  },
  isChosen: (name) => (chain ? Boolean(chain.fields?.includes(name)) : undefined),
  marks: () => new Map((chain?.fields ?? []).map((name) => [name, "chosen"])),
  key(key) {
    if (key === "r") this.tapEdge(`row ${rowOf(bench.cursor) + 1}`);
    else if (key === "c") this.tapEdge(`column ${bench.cursor[0]}`);
    else if (key === "n") chooseChain({ points: lastPoints });
    else if (key === "Enter" && chain?.fields) ask("line-points");
    else return false;
    return true;
  },
  moved() {
    const list = byId("line-list");
    if (!list) return;
    if (edge && !edgeLine(edge) && !isOwned) edge = "";
    if (isStored("chain", chain)) chain = standing(chain, chains());
    choosing(
      list,
      chains().map((line, i) => [`${fill(say.set, { number: i + 1 })} · ${line.fields.length > 5 ? countFields(line) : line.fields.join(" ")} · ${bench.pen.digits(line.points)}`, line]),
      (line) => isSame(line, chain),
      (line) => chooseChain(isSame(line, chain) ? null : line),
    );
    propose(byId("line-proposed"), proposedEnds(), takeEnd);
    byId("chain-hint").hidden = !chain;
    byId("line-amount").hidden = !edge && !chain?.fields?.length;
    byId("line-remove").disabled = Boolean(edge) && !edgeLine(edge);
    if (empty) cropEnds();
    if (edge) {
      byId("line-title").textContent = fill(say.pointsFor, { what: edgeTitle(edge) });
      write(byId("line-points"), edgeLine(edge)?.points);
    } else if (chain?.fields) {
      byId("line-title").textContent = fill(say.pointsFor, { what: countFields(chain) });
      write(byId("line-points"), chain.points);
    }
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
function proposedEnds() {
  return Object.entries(empty?.arrows ?? {}).map(([end, points]) => {
    const name = /\d/.test(end) ? `row ${rowOf(bench.currentName(`a${end}`)) + 1}` : `column ${letter(columnOf(bench.currentName(`${end}1`)))}`;
    return [fill(say.proposedArrow, { end: edgeTitle(name), points: fill(say.points, { count: points }) }), { name, points }];
  }).filter(([, { name }]) => !edgeLine(name));
}
function takeEnd({ name, points }) {
  act({ do: "row-line", ...edgeKey(name), points });
  tools.lines.tapEdge(name);
}
function chooseChain(entry) {
  reportInvalid(byId("line-points"));
  edge = "";
  chain = entry;
  bench.draw();
  tools.lines.moved();
}
byId("chain-new")?.addEventListener("click", () => chooseChain({ points: lastPoints }));
let before = lastPoints; // points before the typing
byId("line-points")?.addEventListener("focus", () => (before = (edge ? edgeLine(edge) : chain)?.points ?? before));
const checkPoints = (input) =>
  complain(input, readNumber(input.value) !== null, fill(say.badNumber, { least: "−99", most: 99 }));
byId("line-points")?.addEventListener("input", ({ target }) => {
  const isBad = isTooLong(target.value);
  const points = isBad ? before : readNumber(target.value);
  if (points === null && !(isBad && edge)) return;
  if (!isOwned) lastPoints = points;
  if (edge) act({ do: "row-line", ...edgeKey(edge), points });
  else if (chain) change("chain", { ...chain, points });
  if (isBad) checkPoints(target);
});
byId("line-points")?.addEventListener("change", ({ target }) => checkPoints(target));
for (const id of ["line-points", "area-points"]) {
  byId(id)?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    // Otherwise the focused field would take the key as a tap.
    event.preventDefault();
    bench.focus();
  });
}
byId("line-remove")?.addEventListener("click", () => {
  if (edge) act({ do: "row-line", ...edgeKey(edge), points: null });
  else if (isStored("chain", chain)) act({ do: "chain", was: plain(chain), now: null });
  edge = "";
  chooseChain(null);
});

// Areas -----------------------------------------------------------------------------------------

// An area of a bought sheet has no points until they are typed.
const fresh = () => {
  if (!isOwned) return { points: 5 };
  return page.dataset.step === "races" ? { race: [] } : {};
};
const areas = () => bench.draft.areas ?? [];
const amounts = (entry) => (entry.race ? entry.race.join(" ") : String(entry.points ?? ""));
const offerName = (i) => letter(i).toUpperCase();
const payment = ({ race, points }) => (race ? race.map(bench.pen.digits).join("·") : bench.pen.digits(points ?? "")) || "?";
// Races and other areas are numbered separately, as in sheets/text/symbols.py.
const nameArea = (one, at) => fill(one.race ? say.race : say.area, { number: areas().slice(0, at + 1).filter((other) => !other.race === !one.race).length });
tools.areas = {
  hasCursor: true,
  // Forget the chosen area, so that a later tap does not add to it.
  left: () => (area = null),
  open: (i) => chooseArea(areas()[i] ?? null),
  tap(name) {
    const offered = area ? null : offeredAreas().find((names) => names.includes(name));
    if (offered) return takeArea(offered);
    if (!area) take(areas().find((one) => one.fields.includes(name)) ?? fresh());
    else toggle("area", name);
    if (!area.fields) toggle("area", name);
    this.moved();
  },
  isPainting: () => Boolean(area),
  paint(name) {
    if (area && !area.fields?.includes(name)) toggle("area", name);
    this.moved();
  },
  key(key) {
    if (key === "n") beginArea();
    else if (key === "Enter" && area?.fields) ask("area-points");
    else return false;
    return true;
  },
  isChosen: (name) => (area ? Boolean(area.fields?.includes(name)) : undefined),
  marks: () => new Map((area?.fields ?? []).map((name) => [name, "chosen"])),
  // Draw proposed areas with the letters of their buttons.
  offers: (layout) =>
    offeredAreas().map((names, i) => {
      const [x, y] = bench.pen.middle(layout, names[0]);
      return (
        `<path class="offered-line" d="${bench.pen.outline(layout, names)}"/>` +
        `<circle class="offered-mark" cx="${x}" cy="${y}" r="30"/>` +
        `<text class="offered-letter" x="${x}" y="${y + 15}">${offerName(i)}</text>`
      );
    }).join(""),
  moved() {
    const list = byId("area-list");
    if (!list) return;
    if (area?.fields) area = standing(area, areas());
    choosing(
      list,
      areas().map((one, i) => [`${nameArea(one, i)} · ${countFields(one)} · ${payment(one)}`, one]),
      (one) => isSame(one, area),
      (one) => chooseArea(isSame(one, area) ? null : one),
    );
    const offered = offeredAreas();
    propose(byId("area-proposed"), offered.map((names, i) => [fill(say.proposedArea, { letter: offerName(i), count: names.length }), names]), takeArea);
    // Scroll to the first proposal, once.
    if (offered.length && !isOfferSeen) toFields(offered[0]);
    isOfferSeen = true;
    byId("area-hint").hidden = Boolean(area?.fields?.length) || (Boolean(offered.length) && !area);
    byId("area-amount").hidden = !area?.fields?.length;
    if (area?.fields) {
      const at = areas().findIndex((one) => isSame(one, area));
      byId("area-title").textContent = fill(say.pointsFor, { what: nameArea(area, at) });
      write(byId("area-points"), amounts(area));
    }
  },
};
let isOfferSeen = false;
// The area was a race when the editing began; with one number left it remains one.
let isRace = false;
let paid = null; // the area before the typing
function take(entry) {
  area = entry;
  isRace = Boolean(entry?.race);
  paid = plain(entry);
  reportInvalid(byId("area-points"));
}
function chooseArea(entry) {
  take(entry);
  toArea();
  bench.draw();
  tools.areas.moved();
}
// Scroll to the chosen area, or as much of it as fits.
function toArea() {
  const fields = area?.fields ?? [];
  if (!fields.length) return;
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
  change("area", { ...fresh(), fields });
  toArea();
  bench.draw();
  tools.areas.moved();
  ask("area-points");
}
function beginArea() {
  chooseArea(fresh());
  byId("area-hint").hidden = false;
}
byId("area-new")?.addEventListener("click", beginArea);
const readArea = (text) => {
  const numbers = readNumbers(text);
  if (!numbers) return null;
  return isRace || numbers.length > 1 ? { race: numbers } : { points: numbers[0] };
};
byId("area-points")?.addEventListener("focus", () => {
  isRace = Boolean(area?.race);
  paid = plain(area);
});
byId("area-points")?.addEventListener("input", ({ target }) => {
  const isBad = isTooLong(target.value);
  const pays = isBad ? paid : readArea(target.value);
  if (pays && area?.fields) change("area", { ...pays, fields: area.fields });
  if (isBad) complain(target, false);
});
byId("area-points")?.addEventListener("change", ({ target }) => complain(target, readArea(target.value)));
byId("area-remove")?.addEventListener("click", () => {
  if (area?.fields) act({ do: "area", was: plain(area), now: null });
  chooseArea(null);
});
