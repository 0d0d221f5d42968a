// Tool for groups of fields that look alike on the photo: one answer sets the content of all.
import { buttonForKey } from "../lib/grid.js";
import { act, beginEntry, compared, endEntry } from "./acts.js";
import { bench, square } from "./bench.js";
import { isHole, keyOf } from "./draft.js";
import { describe } from "./draw.js";
import { byId, empty, fill, make, makeButton, refill, words } from "./page.js";
import { swatch } from "./swatch.js";

const { tools } = bench;
const { say, letters, signs } = words;
const SECOND_TAP_MS = 350; // a tap this soon after a group appeared was meant for the one before
const KINDS_PX = 88; // resolution of a crop

let chosen = -1; // index of the group that the user has tapped
let shownAt = 0;
let shown = "";
let colouring = ""; // letter of the symbol whose colour is asked for
const out = new Set(); // fields of the group that the user has deselected
const more = new Set(); // further fields that the user has selected
const plain = new Map(); // fields marked as empty in a group with open fields, by key (see `keyOf`)

// Tab stops of the lists, which may have a hundred buttons: one stop for each list, arrow keys move within.
const stops = { kinds: 0, crops: 0 };
for (const id of Object.keys(stops)) {
  byId(id).addEventListener("keydown", (event) => {
    const to = buttonForKey([[...event.currentTarget.children]], event.target, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
  byId(id).addEventListener("focusin", ({ target }) => {
    stops[id] = [...byId(id).children].indexOf(target);
    setStop(id, byId(id).children);
  });
}
function setStop(id, buttons) {
  const at = Math.min(stops[id], buttons.length - 1);
  for (const [i, button] of [...buttons].entries()) button.tabIndex = i === at ? 0 : -1;
}
function refillList(id, buttons) {
  setStop(id, buttons);
  refill(byId(id), buttons);
  drawCrops(byId(id));
}

// Return the content of a field: hole, symbol, printed cross, or "".
const lookOf = (name) => (isHole(square(name)) ? signs.hole : square(name).symbol || (square(name).printed ? signs.printed : ""));
// Return the groups; fields that are least similar to the others come first.
const groups = () => empty.groups.map((group) => group.map(bench.currentName).filter((name) => square(name)));

const isPlain = (name, said) => [...plain].some(([key, names]) => said.has(key) && names.includes(name));
function openOf(group, said) {
  const blank = group.filter((name) => !lookOf(name));
  return said.has(keyOf(blank)) ? [] : blank.filter((name) => !isPlain(name, said));
}

function standing() {
  const said = compared();
  const all = groups().map((names) => ({ names, open: openOf(names, said) }));
  const at = chosen >= 0 ? chosen : all.findIndex(({ open }) => open.length);
  const members = all[at] ? (all[at].open.length ? all[at].open : all[at].names) : [];
  return { all, at, members, selected: members.filter((name) => !out.has(name)).concat([...more]) };
}

const cropButton = (name, attributes) => cropped(makeButton({ class: "crop", ...attributes }), name);
function cropped(button, name) {
  button.dataset.at = name;
  button.prepend(make("canvas", { width: KINDS_PX, height: KINDS_PX }));
  return button;
}
const saidOf = (look) => ({ [signs.hole]: say.hole, [signs.printed]: say.printed, "": say.isNothing })[look] ?? words.written[look].says;
function drawCrops(holder) {
  for (const button of holder.querySelectorAll("[data-at]")) bench.photo?.crop(button.dataset.at, button.firstChild);
}
function drawKinds({ all, at }) {
  if (at >= 0) stops.kinds = at;
  refillList("kinds", all.map(({ names, open }, i) => {
    const looks = [...new Set(names.map(lookOf))];
    const label = open.length ? say.notYet : looks.map(saidOf).join(", ");
    const attributes = { "aria-pressed": i === at, "aria-label": `${i + 1}${say.colon} ${label}`, "data-kind": i };
    return cropButton(open.at(-1) ?? names.at(-1), { ...attributes, class: open.length ? "crop" : "crop is-said" });
  }));
  const now = byId("kinds").querySelector("[aria-pressed=true]");
  if (now) byId("kinds").scrollLeft = now.offsetLeft - byId("kinds").offsetLeft - KINDS_PX;
}
function drawPalettes({ all, at }) {
  const isAsked = at >= 0;
  const was = document.activeElement.closest(".palette");
  const known = [...new Set(all.flatMap(({ names }) => names.map(lookOf)))].filter((look) => words.written[look]);
  byId("gather-plain").hidden = !isAsked;
  byId("gather-known").hidden = !isAsked || !known.length || Boolean(colouring);
  byId("gather-symbols").hidden = !isAsked || Boolean(colouring);
  byId("gather-other").hidden = byId("gather-colours").hidden = !isAsked || !colouring;
  const answers = (of) => of.map((look) => {
    const button = swatch(look, words.written[look].says);
    button.dataset.look = look;
    return button;
  });
  // Different groups often have the same content: show each known answer with a field that has it.
  const withIt = (look) => all.flatMap(({ names }) => names).findLast((name) => lookOf(name) === look);
  refill(byId("gather-known"), answers(known).map((button) => cropped(button, withIt(button.dataset.look))));
  drawCrops(byId("gather-known"));
  refill(byId("gather-colours"), colouring ? answers([...words.colours].map((colour) => colouring + colour)) : []);
  const isRails = bench.draft.marks === "tracks";
  const offered = Object.keys(words.symbols).filter((letter) => !(isRails ? words.offRails.includes(letter) : letter === letters.stop));
  refill(byId("gather-symbols"), offered.map((letter) => {
    const { isColoured, says } = words.symbols[letter];
    const button = swatch(letter + (isColoured ? words.colours[0] : ""), says);
    button.dataset.letter = letter;
    return button;
  }));
  // After an answer by keyboard, focus the next palette.
  if (!was?.hidden) return;
  const next = ["gather-colours", "gather-known", "gather-symbols"].map(byId).find((palette) => !palette.hidden);
  (next?.firstElementChild ?? byId("next-step")).focus({ preventScroll: true });
}

function asked({ all, at, selected }) {
  if (at < 0) return say.allGathered;
  const sentence = [say.kindOfNone, say.kindOfOne][selected.length] ?? say.kind;
  return fill(sentence, { at: at + 1, all: all.length, count: selected.length });
}

tools.gather = {
  hasCursor: true,
  marks: () => new Map(standing().selected.map((name) => [name, "chosen"])),
  isChosen: (name) => standing().selected.includes(name),
  tap(name) {
    const { at, members } = standing();
    if (at < 0) return;
    const set = members.includes(name) ? out : more;
    if (!set.delete(name)) set.add(name);
    this.moved();
  },
  moved() {
    const now = standing();
    const { all, at, members, selected } = now;
    const standsFor = JSON.stringify([at, members]);
    if (standsFor !== shown) {
      [shown, shownAt, colouring] = [standsFor, performance.now(), ""];
      stops.crops = 0;
      out.clear();
      more.clear();
      // Scroll to one of the fields.
      if (members.length && !members.includes(bench.cursor)) [bench.cursor] = members;
      if (members.length) requestAnimationFrame(bench.toCursor);
      return this.moved();
    }
    byId("gather-at").textContent = asked(now);
    // Offer to invert the selection, for groups with mixed content.
    byId("gather-flip").hidden = members.length < 2;
    byId("gather-flip").textContent = selected.length ? say.chooseNone : say.chooseAll;
    drawKinds(now);
    refillList("crops", [...members, ...more].map((name) =>
      cropButton(name, { "aria-pressed": selected.includes(name), "aria-label": `${name}, ${describe(square(name))}` })));
    drawPalettes(now);
    bench.draw();
  },
};

// Set the content of all selected fields. Deselected ones are asked for next.
function answer(look) {
  const { selected } = standing();
  if (!selected.length || performance.now() - shownAt < SECOND_TAP_MS) return;
  const put = {};
  for (const name of selected) {
    if (lookOf(name) === look) continue;
    if (look === signs.hole) put[name] = { number: signs.hole };
    else if (look === signs.printed) put[name] = { symbol: "", printed: true };
    else put[name] = { symbol: look, printed: false };
    if (isHole(square(name)) && look) put[name].number = signs.open;
  }
  const acts = Object.keys(put).length ? [{ do: "squares", put }] : [];
  if (!look) {
    const said = compared();
    for (const names of groups().filter((group) => group.some((name) => selected.includes(name)))) {
      const fields = names.filter((name) => selected.includes(name) || (isPlain(name, said) && !lookOf(name)));
      plain.set(keyOf(fields), fields);
      acts.push({ do: "nothing", fields });
    }
  }
  [chosen, shown] = [-1, ""];
  // One undo step for all acts.
  beginEntry();
  act(...acts);
  endEntry();
  tools.gather.moved();
}

byId("crops").addEventListener("click", (event) => {
  const name = event.target.closest("[data-at]")?.dataset.at;
  if (name) tools.gather.tap(name);
});
byId("gather-flip").addEventListener("click", () => {
  const { members, selected } = standing();
  out.clear();
  more.clear();
  if (selected.length) for (const name of members) out.add(name);
  tools.gather.moved();
});
byId("gather-other").addEventListener("click", () => {
  const before = colouring;
  colouring = "";
  shownAt = performance.now();
  tools.gather.moved();
  byId("gather-symbols").querySelector(`[data-letter="${before}"]`).focus({ preventScroll: true });
});
byId("kinds").addEventListener("click", (event) => {
  const kind = event.target.closest("[data-kind]")?.dataset.kind;
  if (kind === undefined) return;
  chosen = Number(kind);
  shown = "";
  tools.gather.moved();
});
document.querySelector("[data-panel=gather]").addEventListener("click", (event) => {
  const { look, letter, gather } = event.target.closest("button")?.dataset ?? {};
  if (gather) answer({ nothing: "", printed: signs.printed, hole: signs.hole }[gather]);
  else if (look) answer(look);
  else if (letter && words.symbols[letter].isColoured) {
    colouring = letter;
    shownAt = performance.now();
    tools.gather.moved();
  } else if (letter) answer(letter);
});
