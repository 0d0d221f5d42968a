// A sheet that is photographed again: which one it is, and what was answered on its earlier photo.

export const hiddenMarks = (sheet) => sheet.querySelector(`[name="marks-${sheet.dataset.index}"]`);
export const marksOf = (sheet) => JSON.parse(hiddenMarks(sheet).value);
// All values that each place may have, the likeliest first.
export const valuesOf = (sheet) => JSON.parse(sheet.querySelector("script").textContent);

const cards = document.getElementById("seen").children;
const levelOf = (card) => card.querySelector("[name^='level-']")?.value;
const paperOf = (card) => card.dataset.paper;

export const nextIndex = () => Math.max(0, ...[...cards].map((card) => Number(card.dataset.index ?? 0))) + 1;

// Which earlier card each of the sheets of a photo replaces; `wanted` is the one the photo was taken for.
export function findEarlier(fresh, wanted) {
  const earlier = new Map();
  for (const sheet of fresh) {
    const twin = [...cards].find((other) => ![...earlier.values()].includes(other) && isTwin(sheet, other));
    if (twin) earlier.set(sheet, twin);
  }
  if (!wanted || [...earlier.values()].includes(wanted)) return earlier;
  const others = fresh.filter((sheet) => !earlier.has(sheet) && [undefined, levelOf(sheet)].includes(levelOf(wanted)));
  const again = others.find((sheet) => paperOf(sheet) === paperOf(wanted)) ?? others[0];
  return again ? earlier.set(again, wanted) : earlier;
}

// The same layout with nearly the same marks, and too many to be by chance.
function isTwin(sheet, other) {
  if (!other.matches(".seen-sheet") || paperOf(other) !== paperOf(sheet)) return false;
  const [mine, theirs] = [marksOf(sheet), marksOf(other)];
  const many = Object.keys(mine).length;
  return many > 5 && placesApart(mine, theirs).length <= Math.max(1, many / 12);
}

// The places at which two sheets have different marks.
export function placesApart(mine, theirs) {
  const places = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...places].filter((at) => (mine[at] ?? "") !== (theirs[at] ?? ""));
}

// What was said of a sheet, as far as it holds for its new photo: an answer does not if the new photo
// clearly shows something else than the earlier one did.
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

// A card gets another number, with all names and ids that end in it.
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
