// Tools that are forms: points and own words; dice, rounds and grades.
import { act } from "./acts.js";
import { bench } from "./bench.js";
import { picture } from "./draw.js";
import { complain, readNumber, readNumbers, storeTyped, write } from "./inputs.js";
import { byId, empty, fill, make, words } from "./page.js";

const { say } = words;
const between = (least, most) => fill(say.badNumber, { least, most });

// Points and own words --------------------------------------------------------------------------

const { written } = words;
const paysOf = (symbol) => words.symbols[symbol[0]].pays;
const used = () => {
  const found = new Set([...bench.grid.at.values()].map((square) => square.symbol));
  return Object.keys(written).filter((symbol) => found.has(symbol));
};
const amountOf = (symbol) => {
  const { of, colour } = written[symbol];
  const points = bench.draft.points?.[of];
  return colour ? points?.[colour] : points;
};
// Return null for an empty text, and undefined for one that is no amount.
function readAmount({ isTrack, costs }, text) {
  if (!text.trim()) return null;
  const amount = (isTrack ? readNumbers(text) : readNumber(text)) ?? undefined;
  // Costs are never positive, and some phones' number keys have no minus.
  return costs && amount ? -Math.abs(amount) : amount;
}
const pay = (symbol, points) => ({ do: "points", of: written[symbol].of, colour: written[symbol].colour, points });

// Return a row with the drawing of a symbol, a label with a note, and an input.
function row(symbol, label, note, input) {
  const title = make("label", { for: input.id }, label, " ", ...(note ? [make("small", {}, note)] : []));
  return make("div", { class: "point-row" }, picture(symbol), title, input);
}
function pointRow(symbol) {
  const pays = paysOf(symbol);
  const isTrack = Boolean(pays.isTrack);
  const attributes = { inputmode: isTrack ? "decimal" : "numeric", maxlength: isTrack ? 160 : 3, autocomplete: "off" };
  const input = make("input", { type: "text", id: `points-${symbol}`, "data-symbol": symbol, ...attributes });
  storeTyped(input, {
    read: (text) => readAmount(pays, text),
    now: () => amountOf(symbol) ?? null,
    put: (amount) => act(pay(symbol, amount)),
    sentence: isTrack ? say.badNumbers : between("−99", pays.costs ? 0 : 99),
  });
  const holder = row(symbol, written[symbol].says, pays.note, input);
  if (empty) holder.prepend(make("canvas", { width: 88, height: 88 }));
  return holder;
}
function labelRow(symbol, [language, languageName]) {
  const data = { "data-label": written[symbol].key, "data-language": language };
  const input = make("input", { type: "text", maxlength: 60, id: `label-${symbol}-${language}`, ...data });
  input.addEventListener("input", () => act({ do: "text", of: input.dataset.label, language, text: input.value.trim() }));
  return row(symbol, fill(say.ownWord, { what: written[symbol].says }), languageName, input);
}
let listed = null;
function listPoints() {
  const own = used();
  const paying = own.filter(paysOf);
  if (own.join() !== listed) {
    listed = own.join();
    byId("points-list").replaceChildren(...(paying.length ? paying.map(pointRow) : [make("p", {}, say.noSymbols)]));
    byId("label-list").replaceChildren(...own.flatMap((symbol) => words.languages.map((one) => labelRow(symbol, one))));
  }
  // Show the symbol from the empty sheet's photo; the score column on paper may use another colour.
  for (const canvas of byId("points-list").querySelectorAll("canvas")) {
    const { symbol } = canvas.parentElement.querySelector("[data-symbol]").dataset;
    bench.photo?.crop([...bench.grid.at.keys()].find((name) => bench.grid.at.get(name).symbol === symbol), canvas);
  }
  for (const input of document.querySelectorAll("[data-symbol]")) {
    const amount = amountOf(input.dataset.symbol);
    write(input, Array.isArray(amount) ? amount.join(" ") : amount);
    input.required = amount === undefined;
  }
  for (const input of document.querySelectorAll("[data-label]")) {
    const texts = bench.draft.labels?.[input.dataset.label] ?? {};
    write(input, typeof texts === "string" ? texts : texts[input.dataset.language]);
  }
  const repeats = byId("repeat-last");
  repeats.checked = Boolean(bench.draft.repeat_last);
  repeats.closest("label").hidden = !repeats.checked && !paying.some((symbol) => paysOf(symbol).isTrack);
  byId("points-usual").hidden = !unpaid().length;
}
const unpaid = () => used().filter((symbol) => paysOf(symbol) && amountOf(symbol) === undefined);
bench.acts.usual = () => act(...unpaid().map((symbol) => pay(symbol, paysOf(symbol).usual)));
byId("repeat-last")?.addEventListener("change", (event) => act({ do: "repeat-last", on: event.target.checked }));
bench.tools.points = { isForm: true, moved: listPoints };

// Dice, rounds, grades --------------------------------------------------------------------------

const counts = [...document.querySelectorAll("[data-count]")];
const usualCount = ({ dataset }) => words.defaults[dataset.count][dataset.players];
const countOf = ({ dataset }) => bench.draft[dataset.count]?.[dataset.players] ?? null;
function readCount(input, text) {
  const count = text.trim() ? readNumber(text) : usualCount(input);
  if (!(count >= 1 && count <= words.most[input.dataset.count])) return undefined;
  return count === usualCount(input) ? null : count;
}
for (const input of counts) {
  storeTyped(input, {
    read: (text) => readCount(input, text),
    now: () => countOf(input),
    put: (count) => act({ do: "count", of: input.dataset.count, players: input.dataset.players, count }),
    sentence: between(1, words.most[input.dataset.count]),
  });
}
const grades = [...document.querySelectorAll("[data-grade]")];
const readTotal = (input) => (/^[-−]?\d{1,4}$/.test(input.value.trim()) ? Number(input.value.trim().replace("−", "-")) : null);
for (const input of grades) {
  input.addEventListener("change", () => {
    const totals = grades.map(readTotal);
    complain(input, readTotal(input) !== null, between("−9999", 9999));
    if (totals.includes(null)) return;
    const isUsual = totals.every((total, i) => total === words.defaults.ratings[i]);
    act({ do: "ratings", totals: isUsual ? null : totals });
  });
}
bench.tools.counts = {
  isForm: true,
  moved() {
    for (const input of counts) write(input, countOf(input) ?? usualCount(input));
    grades.forEach((input, i) => write(input, (bench.draft.ratings ?? words.defaults.ratings)[i]));
  },
};
