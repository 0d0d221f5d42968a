// Retakes: matching a sheet with its earlier photo, and carrying over the answers.

export const hiddenMarks = (sheet) => sheet.querySelector(`[name="marks-${sheet.dataset.index}"]`);
export const marksOf = (sheet) => JSON.parse(hiddenMarks(sheet).value);
// Return the possible values of each place, the most likely first.
export const valuesOf = (sheet) => JSON.parse(sheet.querySelector("script").textContent);

const cards = document.getElementById("seen").children;
const levelOf = (card) => card.querySelector("[name^='level-']")?.value;
const paperOf = (card) => card.dataset.paper;

export const nextIndex = () => Math.max(0, ...[...cards].map((card) => Number(card.dataset.index ?? 0))) + 1;

// Map the sheets of a photo to the earlier cards that they replace.
export function findEarlier(fresh) {
  const earlier = new Map();
  for (const sheet of fresh) {
    const twin = [...cards].find((other) => ![...earlier.values()].includes(other) && isTwin(sheet, other));
    if (twin) earlier.set(sheet, twin);
  }
  return earlier;
}

// Find the sheet of a photo that is the retake of a card. Return it as `sheet`, or the name of a text as `problem`:
// "another" if the photo shows only other sheets, "several" if more than one could be it, "known" if it is on another
// card already.
export function findRetake(fresh, card) {
  const possible = fresh.filter((sheet) => isRetake(sheet, card));
  const earlier = findEarlier(possible);
  const nearest = possible.filter((sheet) => earlier.get(sheet) === card);
  const isUnread = !levelOf(card);
  const rest = possible.length > 1 || isUnread ? possible.filter((sheet) => !earlier.has(sheet)) : possible;
  const [sheet, ...more] = nearest.length ? nearest : rest;
  if (sheet && !more.length) return { sheet };
  if (isUnread && possible.length && !rest.length) return { problem: "known" };
  return { problem: possible.length > 1 ? "several" : "another" };
}

// Return whether a sheet has the level and number of a card, as far as they are known.
function isRetake(sheet, card) {
  if (!levelOf(card)) return true; // this card was not read
  if (levelOf(sheet) !== levelOf(card)) return false;
  return paperOf(sheet) === paperOf(card) || [sheet, card].some((one) => paperOf(one).endsWith(" None"));
}

// Return whether two sheets have the same layout and nearly the same marks, more than chance explains.
function isTwin(sheet, other) {
  if (!other.matches(".seen-sheet") || paperOf(other) !== paperOf(sheet)) return false;
  const [mine, theirs] = [marksOf(sheet), marksOf(other)];
  const many = Object.keys(mine).length;
  return many > 5 && placesApart(mine, theirs).length <= Math.max(1, many / 12);
}

// Return the places with different marks on two sheets.
export function placesApart(mine, theirs) {
  const places = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...places].filter((at) => (mine[at] ?? "") !== (theirs[at] ?? ""));
}

// Return the user's answers about a sheet that still hold for its new photo. An answer is dropped if the new photo
// clearly shows something else.
export function carryOver(sheet, earlier, said) {
  const [marks, now, before] = [marksOf(sheet), valuesOf(sheet), valuesOf(earlier)];
  const done = [];
  for (const [at, [likeliest]] of Object.entries(before)) {
    const value = said.marks[at] ?? "";
    if (!now[at]?.includes(value) || (value === likeliest && !said.done.includes(at))) continue;
    const isUnclear = sheet.querySelector(`.flat [data-at="${at}"]`).matches(".is-asked");
    if (!isUnclear && ![likeliest, value].includes(now[at][0])) continue;
    marks[at] = value;
    done.push(at);
  }
  return { ...said, marks, done, isOut: false };
}

// Change the number of a card, with all names and ids that contain it.
export function renumber(card, index) {
  const number = new RegExp(`^(#?(?:[a-z]+-)+)${card.dataset.index}(?=-|$)`);
  for (const part of [card, ...card.querySelectorAll("*")]) {
    for (const name of ["id", "name", "href", "aria-labelledby"]) {
      const value = part.getAttribute(name);
      if (value) part.setAttribute(name, value.replace(number, `$1${index}`));
    }
    for (const name of ["index", "keep"]) if (name in part.dataset) part.dataset[name] = index;
    if (part.matches(".seen-number")) part.textContent = index;
    if (part.matches("[name=sheet], [name=unread]")) part.setAttribute("value", index);
  }
}
