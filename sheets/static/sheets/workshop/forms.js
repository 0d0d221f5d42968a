// Tools that are forms: points and own words; dice, rounds and grades.
import { act } from "./acts.js";
import { bench } from "./bench.js";
import { complain, readNumber, readNumbers, write } from "./inputs.js";
import { byId, empty, fill, words } from "./page.js";

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
function readAmount({ isTrack, costs }, text) {
  if (isTrack) return readNumbers(text);
  const amount = readNumber(text);
  // Costs are never positive, and some phones' number keys have no minus.
  return amount !== null && costs ? -Math.abs(amount) : amount;
}
const pay = (symbol, points) => ({ do: "points", of: written[symbol].of, colour: written[symbol].colour, points });

function row(symbol, label, note) {
  const holder = document.createElement("div");
  holder.className = "point-row";
  holder.append(bench.pen.picture(symbol));
  const title = document.createElement("label");
  title.append(label, " ");
  if (note) {
    const small = document.createElement("small");
    small.textContent = note;
    title.append(small);
  }
  holder.append(title);
  return [holder, title];
}
let listed = null;
function listPoints() {
  const paying = used().filter(paysOf);
  const own = used();
  const shape = own.join();
  if (shape !== listed) {
    listed = shape;
    byId("points-list").replaceChildren(...paying.map((symbol) => {
      const pays = paysOf(symbol);
      const [holder, title] = row(symbol, written[symbol].says, pays.note);
      if (empty) holder.prepend(Object.assign(document.createElement("canvas"), { width: 88, height: 88 }));
      const input = document.createElement("input");
      input.type = "text";
      input.inputMode = pays.isTrack ? "decimal" : "numeric";
      input.maxLength = pays.isTrack ? 160 : 3;
      input.autocomplete = "off";
      input.id = `points-${symbol}`;
      input.dataset.symbol = symbol;
      title.htmlFor = input.id;
      let was;
      input.addEventListener("focus", () => (was = amountOf(symbol) ?? null));
      input.addEventListener("input", () => {
        const amount = readAmount(pays, input.value);
        if (amount !== null) act(pay(symbol, amount));
        // Browsers send no "change" event if it was empty before.
        else if (!input.value) act(pay(symbol, null));
      });
      input.addEventListener("change", () => {
        const amount = readAmount(pays, input.value);
        if (typeof amount === "number") input.value = amount;
        const isFine = amount !== null || !input.value.trim();
        if (!isFine && JSON.stringify(amountOf(symbol) ?? null) !== JSON.stringify(was)) act(pay(symbol, was));
        complain(input, isFine, pays.isTrack ? say.badNumbers : between("−99", pays.costs ? 0 : 99));
      });
      holder.append(input);
      return holder;
    }));
    if (!paying.length) {
      const nothing = document.createElement("p");
      nothing.textContent = say.noSymbols;
      byId("points-list").append(nothing);
    }
    byId("label-list").replaceChildren(...own.flatMap((symbol) => words.languages.map(([language, itsName]) => {
      const [holder, title] = row(symbol, fill(say.ownWord, { what: written[symbol].says }), itsName);
      const input = document.createElement("input");
      input.type = "text";
      input.maxLength = 60;
      input.id = `label-${symbol}-${language}`;
      title.htmlFor = input.id;
      input.dataset.label = written[symbol].key;
      input.dataset.language = language;
      input.addEventListener("input", () => act({ do: "text", of: input.dataset.label, language, text: input.value.trim() }));
      holder.append(input);
      return holder;
    })));
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
  const missing = paying.filter((symbol) => amountOf(symbol) === undefined);
  byId("points-usual").hidden = !missing.length;
}
byId("points-usual")?.addEventListener("click", () => {
  const missing = used().filter((symbol) => paysOf(symbol) && amountOf(symbol) === undefined);
  act(...missing.map((symbol) => pay(symbol, paysOf(symbol).usual)));
});
byId("repeat-last")?.addEventListener("change", (event) => act({ do: "repeat-last", on: event.target.checked }));
bench.tools.points = { isForm: true, moved: listPoints };

// Dice, rounds, grades --------------------------------------------------------------------------

for (const input of document.querySelectorAll("[data-count]")) {
  const { count: of, players } = input.dataset;
  const usual = words.defaults[of][players];
  const now = () => bench.draft[of]?.[players] ?? null;
  const put = (count) => act({ do: "count", of, players, count });
  let was = null;
  input.addEventListener("focus", () => (was = now()));
  input.addEventListener("input", () => {
    const count = readNumber(input.value);
    if (count >= 1 && count <= words.most[of]) put(count === usual ? null : count);
  });
  input.addEventListener("change", () => {
    const count = readNumber(input.value);
    const isFine = !input.value.trim() || (count >= 1 && count <= words.most[of]);
    complain(input, isFine, between(1, words.most[of]));
    if (!input.value.trim()) put(null);
    // Restore the count: the first digits of the refused number were already sent.
    else if (!isFine && now() !== was) put(was);
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
    for (const input of document.querySelectorAll("[data-count]")) {
      const { count: of, players } = input.dataset;
      write(input, bench.draft[of]?.[players] ?? words.defaults[of][players]);
    }
    grades.forEach((input, i) => write(input, (bench.draft.ratings ?? words.defaults.ratings)[i]));
  },
};
