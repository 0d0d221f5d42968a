// Review of photographed sheets in the form `#take`: questions one after the other, corrections by taps on fields, and
// running totals. Without it, the form has all questions and lists.

import { carryOver, findEarlier, hiddenMarks, marksOf, nextIndex, placesApart, renumber, valuesOf } from "./retakes.js";
import { findDraft, forgetCard, forgetDraft, keep } from "./draft.js";
import { removeLine, retake } from "./upload_queue.js";
import { beginUnread, countUnread } from "./unread.js";

const form = document.getElementById("take");
const seen = document.getElementById("seen");
const dock = document.getElementById("dock");
const place = document.getElementById("question");
const left = document.getElementById("left");
const dockTotal = document.getElementById("dock-total");
const retaken = document.getElementById("retaken");
const questions = []; // all questions in order; answered ones have data-done
const asRead = new WeakMap(); // the HTML of each card before any answer
const doubts = new WeakMap(); // the replaced card of each sheet that may be another player's: its `html` and answers (`said`)
const TOTALS_DELAY_MS = 150; // debounce of requests for totals
const SECOND_TAP_MS = 350; // a tap this soon after a question appeared was meant for the one before
let askedAt = -SECOND_TAP_MS;
let isMoving = false; // an arrow key moves between answers
const RING = "#read-ring";

// Show the sheets of a photo from a fragment.
export function show(part) {
  const fresh = [...part.querySelectorAll(".seen-sheet")];
  if (!fresh.length) return;
  const earlier = findEarlier(fresh);
  for (const sheet of fresh) {
    if (earlier.has(sheet)) replace(earlier.get(sheet), sheet);
    else add(sheet, nextIndex());
  }
  for (const card of part.querySelectorAll(".unread-sheet")) add(card, nextIndex());
  // The rest has no card: at a table, other sheets in the photo.
  seen.append(...part.querySelectorAll(".refused"));
  next(!document.activeElement?.matches("input[type=text]"));
}

// Replace a card by the sheet of its requested retake, which was queued as a line.
export function showRetake(sheet, card, line) {
  keepPosition(card, () => {
    removeLine(line, () => replace(card, sheet, true));
    next(false);
  });
  const kept = sheet.querySelector(".replaced .kept:not([hidden])")?.textContent ?? "";
  retaken.textContent = `${form.dataset.retaken.replace("0", sheet.dataset.index)} ${kept}`;
}

// Call `replaceIt`, which replaces a card. What the user sees does not move, and the focus stays on the same control.
function keepPosition(card, replaceIt) {
  const edgeOf = edgeInSight(card);
  const before = edgeOf(card);
  const { activeElement: focused } = document;
  const hadFocus = card.contains(focused);
  const isAsked = place.contains(focused);
  const { name, selectionStart, selectionEnd } = focused;
  replaceIt();
  const now = document.getElementById(`seen-${card.dataset.index}`);
  scrollBy({ top: edgeOf(now) - before, behavior: "instant" });
  if (isAsked && !place.contains(focused)) focusQuestion();
  if (!hadFocus) return;
  const same = name && now.querySelector(`[name="${name}"]`);
  (same || now.querySelector(".retake")).focus({ preventScroll: true });
  if (same && selectionStart !== null) same.setSelectionRange?.(selectionStart, selectionEnd);
}

// Return a function for the position of the edge of a card that must not move: the lower edge of a card above the
// window, the button for a retake, or the upper edge of a card without a picture of the sheet.
function edgeInSight(card) {
  const boxOf = (one) => one.getBoundingClientRect();
  const button = boxOf(card.querySelector(".retake"));
  if (button.bottom < 0) return (one) => boxOf(one).bottom;
  if (button.top > innerHeight || card.matches(".unread-sheet")) return (one) => boxOf(one).top;
  return (one) => boxOf(one.querySelector(".retake")).top;
}

// Add a card to the page and the draft, with earlier answers.
function add(card, index, said, before = null) {
  if (Number(card.dataset.index) !== Number(index)) renumber(card, index);
  asRead.set(card, card.outerHTML);
  keep(index, "html", asRead.get(card));
  seen.insertBefore(card, before);
  if (card.matches(".seen-sheet")) begin(card);
  else beginUnread(card);
  if (said) recall(card, said);
}

// Remove a card with its questions.
function drop(card) {
  const { index } = card.dataset;
  for (const question of questions.filter((one) => one.dataset.index === index)) {
    questions.splice(questions.indexOf(question), 1);
    question.remove();
  }
  card.remove();
  forgetCard(index);
}

// Replace a card by a new photo of its sheet. In doubt, ask whether it is the same sheet.
function replace(earlier, sheet, isRequested = false) {
  const { index } = earlier.dataset;
  const isRead = earlier.matches(".seen-sheet");
  const said = saidOf(earlier);
  const carried = isRead && carryOver(sheet, earlier, said);
  const isDoubtful = doubts.has(earlier) || (isRead && !isRequested && placesApart(carried.marks, said.marks).length);
  const before = doubts.get(earlier) ?? { html: asRead.get(earlier), said };
  const after = earlier.nextSibling;
  drop(earlier);
  add(sheet, index, carried, after);
  moveRetakes(earlier, sheet);
  questions.sort((one, other) => orderOf(one) - orderOf(other)); // those of the new card were added at the end
  if (isDoubtful) askSame(sheet, before);
  else if (isRead) tellReplaced(sheet, before, carried, isRequested);
}

// Move the photos that are still queued as retakes of a card.
const moveRetakes = (from, to) => to.querySelector(".retaking").append(...from.querySelectorAll(".retaking li"));

function tellReplaced(sheet, before, carried, isRequested) {
  const why = document.getElementById("replaced").content.firstElementChild.cloneNode(true);
  why.querySelector(".kept").hidden = !carried.done.length;
  sheet.querySelector(isRequested ? ".retaking" : "header").after(why);
  why.querySelector("button").addEventListener("click", () => {
    keepBoth(sheet, before);
    next();
  });
}

function keepBoth(sheet, before) {
  const { index } = sheet.dataset;
  retaken.textContent = "";
  const after = sheet.nextSibling;
  drop(sheet);
  const old = cardOf(before.html);
  add(old, index, before.said, after);
  moveRetakes(sheet, old);
  add(cardOf(asRead.get(sheet)), nextIndex());
}

// Ask whether a sheet with few different marks is the same one. The question comes first, and again after a reload.
function askSame(sheet, before) {
  const { index } = sheet.dataset;
  doubts.set(sheet, before);
  keep(index, "earlier", before);
  const question = questionOnSheet("ask-same", index);
  const places = placesApart(marksOf(sheet), before.said.marks);
  const cards = [cardOf(before.html), sheet];
  const names = cards.map((card) => card.querySelector(".whose img")?.cloneNode()).filter(Boolean);
  question.querySelector(".crops").append(...cards.map((card) => cropOf(card, places)), ...names);
  question.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    goOn(() => {
      if (button.value === "another") return keepBoth(sheet, before);
      questions.splice(questions.indexOf(question), 1);
      doubts.delete(sheet);
      keep(index, "earlier", null);
    });
  });
  questions.unshift(question);
}

// Return the part of a sheet's picture around some places, or all of it.
function cropOf(card, places) {
  const flat = card.querySelector(".flat");
  const crop = flat.cloneNode();
  crop.removeAttribute("class");
  const image = flat.querySelector("image").cloneNode();
  image.removeAttribute("id");
  crop.append(image);
  const boxes = places.map((at) => {
    const rect = flat.querySelector(`[data-at="${at}"] rect`);
    return ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
  });
  if (!boxes.length) return crop;
  const [, , width, height] = boxes[0]; // size of a place, also the margin
  const [left, top] = [0, 1].map((i) => Math.min(...boxes.map((box) => box[i])));
  const [right, bottom] = [0, 1].map((i) => Math.max(...boxes.map((box) => box[i] + box[i + 2])));
  crop.setAttribute("viewBox", [left - width, top - height, right - left + 2 * width, bottom - top + 2 * height].join(" "));
  return crop;
}

function cardOf(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.firstElementChild;
}

// Return the user's input on a card as plain values.
function saidOf(card) {
  const { index } = card.dataset;
  const isOut = card.querySelector(`[name="out-${index}"]`).checked;
  if (card.matches(".unread-sheet")) return { isOut };
  const done = questions.filter((one) => one.dataset.index === index && "done" in one.dataset).map((one) => one.dataset.at);
  const [name, who, isSaved] = [nameOf(card)?.value, whoOf(card)?.value, card.querySelector(".keep input")?.checked];
  return { isOut, marks: marksOf(card), done, name, who, isSaved };
}

// Restore the user's input on a new card.
function recall(card, { isOut, marks, done, name, who, isSaved }) {
  const out = card.querySelector(`[name="out-${card.dataset.index}"]`);
  out.checked = isOut;
  card.classList.toggle("is-out", isOut);
  if (!marks) return;
  for (const at of Object.keys(valuesOf(card))) {
    if ((marks[at] ?? "") !== (marksOf(card)[at] ?? "")) put(card, at, marks[at] ?? "");
  }
  for (const at of done) settle(card, at);
  if (name && nameOf(card)) nameOf(card).value = name;
  if (isSaved) card.querySelector(".keep input").checked = true;
  if (who && whoOf(card)?.querySelector(`[value="${who}"]`)) {
    whoOf(card).value = whoOf(card).dataset.before = who;
    nameNew(card);
  }
}

const nameOf = (sheet) => sheet.querySelector(".whose input[type=text]");
const whoOf = (sheet) => sheet.querySelector(".whose select");

// Mark the question about a place as answered.
function settle(sheet, at) {
  const question = questionOf(sheet, at);
  if (question) question.dataset.done = "";
  sheet.querySelector(`.flat [data-at="${at}"]`).classList.remove("is-asked");
}

const questionOf = (sheet, at) => questions.find((one) => one.dataset.index === sheet.dataset.index && one.dataset.at === at);

function keepSaid() {
  for (const card of seen.querySelectorAll(".seen-sheet, .unread-sheet")) keep(card.dataset.index, "said", saidOf(card));
}

function begin(sheet) {
  const flat = sheet.querySelector(".flat");
  flat.classList.add("can-tap");
  flat.addEventListener("click", (event) => tap(sheet, event));
  for (const question of sheet.querySelectorAll(".question")) {
    questions.push(question);
    // The most likely answer is preselected; pressing it confirms it. Arrow keys only move.
    for (const radio of question.querySelectorAll("input")) {
      radio.addEventListener("click", () => {
        if (!isMoving) answer(question, radio.value);
      });
    }
  }
  for (const list of sheet.querySelectorAll(".list select")) {
    list.addEventListener("change", () => {
      put(sheet, list.dataset.at, list.value);
      next(false);
    });
  }
  const whose = sheet.querySelector(".whose select");
  if (whose) {
    whose.dataset.before = whose.value;
    whose.addEventListener("change", () => {
      assign(sheet);
      next(false);
    });
    nameNew(sheet);
    questions.push(askWhose(sheet));
  }
  sheet.querySelector(".questions")?.setAttribute("hidden", "");
  sheet.querySelector(".keep")?.removeAttribute("hidden");
  const out = sheet.querySelector(`[name="out-${sheet.dataset.index}"]`);
  out.addEventListener("change", () => {
    sheet.classList.toggle("is-out", out.checked);
    next(false);
  });
  const again = sheet.querySelector(".retake");
  again.hidden = false;
  again.addEventListener("click", () => retake(sheet));
}

// Show the name field only for a new player.
function nameNew(sheet) {
  const name = sheet.querySelector(".new-name");
  if (name) name.hidden = sheet.querySelector(".whose select").value !== "0";
}

// Assign a sheet to the selected player. The sheet that had this player gets the previous one (swap).
function assign(sheet) {
  const mine = sheet.querySelector(".whose select");
  const taken = [...seen.querySelectorAll(".whose select")].find((one) => one !== mine && one.value === mine.value);
  if (taken && !["", "0"].includes(mine.value)) {
    taken.value = mine.dataset.before;
    taken.dataset.before = taken.value;
    nameNew(taken.closest(".seen-sheet"));
  }
  mine.dataset.before = mine.value;
  nameNew(sheet);
}

// Return a question for the sheet's player: a button for each player next to the photographed name.
function askWhose(sheet) {
  const { index } = sheet.dataset;
  const question = questionOnSheet("ask-whose", index);
  const name = sheet.querySelector(".whose img");
  if (name) question.querySelector("legend").after(name.cloneNode());
  question.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    goOn(() => {
      sheet.querySelector(".whose select").value = button.value;
      assign(sheet);
    });
  });
  return question;
}

// Return a question about a whole sheet from the template with this id.
function questionOnSheet(id, index) {
  const question = document.getElementById(id).content.firstElementChild.cloneNode(true);
  question.dataset.index = index;
  question.querySelector(".seen-number").textContent = index;
  return question;
}

// Show the current players as answers; those with a sheet look quiet.
function offerPlayers(question) {
  const select = selectOf(question);
  const taken = new Set([...seen.querySelectorAll(".whose select")].map((one) => one.value));
  const buttons = [...select.options].slice(1).map((option) => {
    const button = document.createElement("button");
    const { value, textContent, translate } = option;
    Object.assign(button, { type: "button", className: "button", value, textContent, translate });
    if (option.value !== "0" && taken.has(option.value)) button.classList.add("quiet");
    return button;
  });
  question.querySelector(".answers").replaceChildren(...buttons);
}

const orderOf = (question) => (question.matches(".asks-same") ? 0 : Number(question.dataset.index));
const sheetOf = (question) => document.getElementById(`seen-${question.dataset.index}`);
const selectOf = (question) => sheetOf(question).querySelector(".whose select");
const isOpen = (question) => (question.matches(".asks-whose") ? !selectOf(question).value : !("done" in question.dataset));

// Update the players, given as [number, name, is marked], after changes by other users.
export function updatePlayers(whose) {
  for (const sheet of seen.querySelectorAll(".seen-sheet")) {
    const select = sheet.querySelector(".whose select");
    if (!select) continue;
    const before = select.value;
    const [none] = select.options;
    const more = select.querySelector("[value='0']");
    const options = whose.map(([number, name, isMarked]) => {
      const option = new Option(isMarked ? `${name} ${select.dataset.replaces}` : name, number);
      option.translate = isMarked;
      return option;
    });
    select.replaceChildren(none, ...options, ...(more ? [more] : []));
    select.value = before;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    select.dataset.before = select.value;
    const marked = whose.filter((one) => one[2]).map((one) => one[0]);
    sheet.querySelector("[name^='marked-']").value = marked.join(",");
    nameNew(sheet);
  }
}

// Change the value of a place: on the picture, in its question and in the form.
function put(sheet, at, value) {
  const marks = marksOf(sheet);
  if (value) marks[at] = value;
  else delete marks[at];
  hiddenMarks(sheet).value = JSON.stringify(marks);
  const group = sheet.querySelector(`.flat [data-at="${at}"]`);
  for (const spot of group.querySelectorAll(".spot")) {
    const { number } = spot.dataset;
    const shape = number ? number === value && RING : value && `#read-${value}`;
    const use = spot.querySelector("use");
    if (shape) use.setAttribute("href", shape);
    else use.removeAttribute("href");
  }
  const listed = sheet.querySelector(`.list select[data-at="${at}"]`);
  if (listed) listed.value = value;
  const question = questionOf(sheet, at);
  if (question) {
    const radios = [...question.querySelectorAll("input")];
    for (const radio of radios) radio.checked = radio.value === value;
    // A value without an answer button needs a field of its own; the last field counts.
    question.querySelector("[type=hidden]")?.remove();
    if (!radios.some((radio) => radio.checked)) {
      const more = document.createElement("input");
      Object.assign(more, { type: "hidden", name: radios[0].name, value });
      question.append(more);
    }
  }
}

function answer(question, value) {
  const { at } = question.dataset;
  goOn(() => {
    put(sheetOf(question), at, value);
    settle(sheetOf(question), at);
  });
}

// Answer a question by calling `act`, and show the next one.
function goOn(act) {
  const hadFocus = place.contains(document.activeElement);
  act();
  next();
  if (hadFocus) focusQuestion();
}

function focusQuestion() {
  (place.querySelector(":checked, button") ?? document.getElementById("take-over")).focus({ preventScroll: true });
}

// Double-tap protection: ignore taps on a question that has just appeared.
place.addEventListener(
  "click",
  (event) => {
    if (performance.now() - askedAt > SECOND_TAP_MS) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

function tap(sheet, event) {
  const group = event.target.closest("[data-at]");
  if (!group) return;
  const { at } = group.dataset;
  const now = marksOf(sheet)[at] ?? "";
  const values = valuesOf(sheet)[at];
  put(sheet, at, values[(values.indexOf(now) + 1) % values.length]);
  settle(sheet, at);
  next(false);
}

// Show the next question and scroll to its field.
function next(comes = true) {
  const open = questions.filter((one) => isOpen(one) && !sheetOf(one).matches(".is-out"));
  const now = open[0];
  for (const group of seen.querySelectorAll(".is-current")) group.classList.remove("is-current");
  for (const one of [...place.children]) {
    if (one === now) continue;
    if ("at" in one.dataset) sheetOf(one).querySelector(".questions").append(one);
    else one.remove();
  }
  dock.hidden = !seen.querySelector(".seen-sheet");
  if (now && now.parentElement !== place) {
    place.append(now);
    askedAt = performance.now();
  }
  if (now) {
    if (now.matches(".asks-whose")) offerPlayers(now);
    const { at } = now.dataset;
    const spot = sheetOf(now).querySelector(at ? `.flat [data-at="${at}"]` : "header");
    if (at) spot.classList.add("is-current");
    if (comes) comeIntoSight(spot);
  }
  const isWhoseOpen = open.some((one) => one.matches(".asks-whose"));
  const said = isWhoseOpen ? "whose" : (["none", "one"][open.length] ?? "many");
  left.textContent = left.dataset[said].replace("0", open.length);
  document.getElementById("take-over").classList.toggle("primary", !open.length);
  const names = seen.querySelectorAll(".seen-sheet:not(.is-out) input[data-player]");
  names.forEach((name, i) => (name.placeholder = name.dataset.player.replace("0", i + 1)));
  drawTotal();
  countUnread();
  sum();
  keepSaid();
}

// Show the points of the question's sheet next to the question.
function drawTotal() {
  const index = place.querySelector(".question")?.dataset.index;
  dockTotal.textContent = index ? document.getElementById(`total-${index}`).textContent : "";
}

function comeIntoSight(group) {
  const { top, bottom } = group.getBoundingClientRect();
  const isBeside = dock.getBoundingClientRect().left > group.getBoundingClientRect().right;
  const low = innerHeight - (isBeside ? 0 : dock.offsetHeight);
  if (top > 8 && bottom < low - 8) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollBy({ top: (top + bottom) / 2 - low / 2, behavior: calm ? "instant" : "smooth" });
}

// The keys 1, 2, 3 … answer the current question. Enter and Space confirm a selected answer, for which browsers
// send no event. Enter never submits the form.
document.addEventListener("keydown", (event) => {
  isMoving = event.key.startsWith("Arrow");
  const { target } = event;
  if (["Enter", " "].includes(event.key) && target.matches("#question input")) {
    event.preventDefault();
    if (!event.repeat) target.click(); // a held key answers one question only
  } else if (event.key === "Enter" && target.form === form && target.matches("input:not([type=checkbox])")) {
    event.preventDefault();
    target.blur();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input[type=text], select")) return;
  const radio = place.querySelectorAll("input[type=radio], button")[Number(event.key) - 1];
  if (!radio) return;
  event.preventDefault();
  radio.click();
});
document.addEventListener("keyup", () => (isMoving = false));

let waiting;
let asked = 0;
let told = 0; // number of calls of `showProblem`

function sum() {
  clearTimeout(waiting);
  waiting = setTimeout(addUp, TOTALS_DELAY_MS, told);
}

async function addUp(toldBefore) {
  const mine = (asked += 1);
  try {
    const response = await fetch(form.dataset.sum, { method: "POST", body: new FormData(form) });
    const { totals, problem } = await response.json();
    if (mine !== asked) return;
    for (const [index, total] of Object.entries(totals)) {
      document.getElementById(`total-${index}`).textContent = String(total).replace("-", "−");
    }
    drawTotal();
    // Keep a refusal of the submission that came meanwhile.
    if (told === toldBefore) showProblem(seen.querySelector(".seen-sheet") ? problem : "");
  } catch {
    // The next tap and the submission calculate the totals again.
  }
}

const problemPlace = document.getElementById("problem");

// Show why the sheets cannot be submitted; "" hides the message.
export function showProblem(problem, where = problemPlace) {
  told += 1;
  where.textContent = problem;
  where.hidden = !problem;
}

form.addEventListener("change", (event) => {
  if (event.target.matches("select")) sum();
});
form.addEventListener("input", keepSaid);

// Missing input is shown in the bar, not at a field out of sight.
form.noValidate = true;

// Cards from a submission without scripts.
const sent = [...seen.querySelectorAll(".seen-sheet, .unread-sheet")];
for (const card of sent) add(card, card.dataset.index, null, card.nextSibling);
if (sent.length) next();
else showDraft();

// Restore the draft, for example after a reload.
async function showDraft() {
  const cards = await findDraft();
  for (const { html, said, earlier } of cards) {
    const card = cardOf(html);
    add(card, card.dataset.index, said);
    if (earlier) askSame(card, earlier);
  }
  if (!cards.length) return;
  document.getElementById("draft").hidden = false;
  next(false);
}

document.querySelector("#draft button").addEventListener("click", async () => {
  await forgetDraft();
  location.reload();
});
