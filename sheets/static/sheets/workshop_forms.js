// The tools that are forms: rows, points, dice, names; and comparing with the paper.
"use strict";

(() => {
  const { page, words, bench, act, fill, readNumber, readNumbers, complain } = workshop;
  if (!page) return;
  const byId = (id) => document.getElementById(id);
  const say = words.say;
  const write = (input, value) => {
    if (input && document.activeElement !== input) input.value = value ?? "";
  };
  const between = (least, most) => fill(say.badNumber, { least, most });

  // Rows and columns ------------------------------------------------------------------------------

  const size = () => ({ columns: bench.grid.columns, rows: bench.grid.rows.length });
  function resize(which, value) {
    const wanted = { ...size(), [which]: value };
    if (!Number.isInteger(value) || value < 1 || value > 26) return workshop.say(between(1, 26));
    if (wanted[which] !== size()[which]) act({ do: "size", ...wanted });
  }
  for (const which of ["columns", "rows"]) {
    byId(which)?.addEventListener("change", (event) => resize(which, Number(event.target.value)));
  }
  for (const button of document.querySelectorAll("[data-size]")) {
    button.addEventListener("click", () => {
      const which = button.dataset.size;
      resize(which, size()[which] + Number(button.dataset.by));
    });
  }
  const place = (which) => (which === "row" ? { row: workshop.rowOf(bench.cursor) + 1 } : { column: bench.cursor[0] });
  for (const button of document.querySelectorAll("[data-insert]")) {
    button.addEventListener("click", () => act({ do: "insert", ...place(button.dataset.insert) }));
  }
  for (const button of document.querySelectorAll("[data-remove]")) {
    button.addEventListener("click", () => act({ do: "remove", ...place(button.dataset.remove) }));
  }
  const quarters = (row) => Math.round((bench.draft.shifts?.[row] ?? 0) * 4);
  for (const button of document.querySelectorAll("[data-shift]")) {
    button.addEventListener("click", () => {
      const { row } = place("row");
      const by = button.dataset.shift;
      if (by === "every") {
        act(...bench.grid.rows.map((_, i) => ({ do: "shift", row: i + 1, quarters: i % 2 ? 2 : 0 })));
        return;
      }
      const now = by === "0" ? 0 : Math.max(-3, Math.min(3, quarters(row - 1) + Number(by)));
      act({ do: "shift", row, quarters: now });
    });
  }
  // What the other kind of sheet cannot have goes, and that is said where it can be taken back.
  function lossOf(marks) {
    if (marks === "crosses") return [[say.printedTracks, Object.keys(bench.draft.tracks ?? {}).length]];
    const squares = [...bench.grid.at.values()];
    return [
      [say.printedCrosses, squares.filter((square) => square.printed).length],
      [say.rockets, squares.filter((square) => "RPO".includes(square.symbol || " ")).length],
      [say.movedRows, (bench.draft.shifts ?? []).filter(Boolean).length],
    ];
  }
  byId("rails")?.addEventListener("change", (event) => {
    const marks = event.target.checked ? "tracks" : "crosses";
    const lost = lossOf(marks).filter(([, count]) => count);
    act({ do: "marks", marks });
    const what = lost.map(([name, count]) => `${name} (${count})`).join(", ");
    byId("dropped").textContent = fill(say.dropped, { what });
    byId("dropped").hidden = !lost.length;
  });
  workshop.onChange((isFromServer) => {
    if (!isFromServer) byId("dropped").hidden = true;
  });
  byId("paste-use")?.addEventListener("click", () => {
    const rows = byId("paste").value.split("\n").map((row) => row.trim().split(/\s+/).filter(Boolean)).filter((row) => row.length);
    const width = Math.max(0, ...rows.map((row) => row.length));
    const isFine = rows.length && rows.length <= 26 && width <= 26 &&
      rows.flat().every((token) => /^(\.|-V|[1-6?-]x?([KLFGJ][roygbpwk]|[BRPOHS])?)$/.test(token));
    complain(byId("paste"), isFine, say.pasteFails);
    if (isFine) act({ do: "grid", rows: rows.map((row) => [...row, ...Array(width - row.length).fill(".")].join(" ")) });
  });
  bench.tools.grid = {
    isForm: Boolean(page.dataset.step),
    hasCursor: !page.dataset.step,
    moved() {
      write(byId("columns"), size().columns);
      write(byId("rows"), size().rows);
      if (!byId("rails")) return;
      byId("grid-at").textContent = bench.cursor;
      byId("rails").checked = bench.draft.marks === "tracks";
      document.querySelector(".shift").hidden = bench.draft.marks === "tracks";
      const row = workshop.rowOf(bench.cursor);
      byId("shift-at").textContent = fill(say.moved, { row: row + 1, quarters: bench.pen.digits(quarters(row)) });
    },
  };

  // Points and own words --------------------------------------------------------------------------

  const PAYING = { G: "gem", J: "puzzle", F: "flag", B: "bomb", H: "heap", S: "stop" };
  const USUAL = { gem: 2, puzzle: 10, flag: [10, 6, 3, 1], bomb: -2, heap: -3, stop: 4 };
  const NOTES = { gem: say.each, puzzle: say.all, flag: say.flag, bomb: say.bomb, heap: say.heap, stop: say.stop };
  const used = () => {
    const found = new Set([...bench.grid.at.values()].map((square) => square.symbol).filter(Boolean));
    const order = Object.keys(words.symbols).join("") + Object.keys(words.colours).join("");
    const rank = (symbol) => order.indexOf(symbol[0]) * 100 + (symbol[1] ? order.lastIndexOf(symbol[1]) : 0);
    return [...found].sort((a, b) => rank(a) - rank(b));
  };
  const titleOf = (symbol) => words.coloured[symbol] ?? words.symbols[symbol];
  const colourOf = (symbol) => (symbol[1] ? words.colourNames[symbol[1]] : "");
  const amountOf = (symbol) => {
    const points = bench.draft.points ?? {};
    const of = PAYING[symbol[0]];
    return symbol[1] ? points[of]?.[colourOf(symbol)] : points[of];
  };
  function readAmount(of, text) {
    if (of === "flag") return readNumbers(text);
    const amount = readNumber(text);
    return amount !== null && (amount <= 0 || !["bomb", "heap"].includes(of)) ? amount : null;
  }
  const pay = (symbol, points) => ({ do: "points", of: PAYING[symbol[0]], colour: colourOf(symbol), points });

  function row(symbol, label, note) {
    const holder = document.createElement("div");
    holder.className = "point-row";
    const group = bench.pen.groupOf(symbol);
    holder.innerHTML = `<svg viewBox="0 0 100 100" class="pic${group ? ` g-${group}` : ""}" aria-hidden="true"><use href="#art-${bench.pen.symbolId(symbol)}" width="100" height="100"/></svg>`;
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
    const paying = used().filter((symbol) => symbol[0] in PAYING);
    const own = used();
    const shape = own.join();
    if (shape !== listed) {
      listed = shape;
      byId("points-list").replaceChildren(...paying.map((symbol) => {
        const of = PAYING[symbol[0]];
        const [holder, title] = row(symbol, titleOf(symbol), NOTES[of]);
        const input = document.createElement("input");
        input.type = "text";
        input.inputMode = of === "flag" ? "text" : "numeric";
        input.maxLength = of === "flag" ? 160 : 3;
        input.autocomplete = "off";
        input.id = `points-${symbol}`;
        input.dataset.symbol = symbol;
        title.htmlFor = input.id;
        input.addEventListener("input", () => {
          const amount = readAmount(of, input.value);
          if (amount !== null) act(pay(symbol, amount));
        });
        input.addEventListener("change", () => {
          if (!input.value.trim()) act(pay(symbol, null));
          else complain(input, readAmount(of, input.value) !== null, of === "flag" ? say.badNumbers : between("−99", ["bomb", "heap"].includes(of) ? 0 : 99));
        });
        holder.append(input);
        return holder;
      }));
      if (!paying.length) {
        const nothing = document.createElement("p");
        nothing.textContent = say.noSymbols;
        byId("points-list").append(nothing);
      }
      byId("label-list").replaceChildren(...own.flatMap((symbol) => ["en", "de"].map((language) => {
        const [holder, title] = row(symbol, fill(say.ownWord, { what: titleOf(symbol) }), language === "en" ? "English" : "Deutsch");
        const input = document.createElement("input");
        input.type = "text";
        input.maxLength = 60;
        input.id = `label-${symbol}-${language}`;
        title.htmlFor = input.id;
        input.dataset.label = `${words.symbolNames[symbol[0]]} ${colourOf(symbol)}`.trim();
        input.dataset.language = language;
        input.addEventListener("change", () => act({ do: "text", of: input.dataset.label, language, text: input.value.trim() }));
        holder.append(input);
        return holder;
      })));
    }
    for (const input of document.querySelectorAll("[data-symbol]")) {
      const amount = amountOf(input.dataset.symbol);
      write(input, Array.isArray(amount) ? amount.join(" ") : amount);
      input.classList.toggle("missing", amount === undefined);
    }
    for (const input of document.querySelectorAll("[data-label]")) {
      const texts = bench.draft.labels?.[input.dataset.label] ?? {};
      write(input, typeof texts === "string" ? texts : texts[input.dataset.language]);
    }
    byId("repeat-last").checked = Boolean(bench.draft.repeat_last);
    const missing = paying.filter((symbol) => amountOf(symbol) === undefined);
    byId("points-usual").hidden = !missing.length;
  }
  byId("points-usual")?.addEventListener("click", () => {
    const missing = used().filter((symbol) => symbol[0] in PAYING && amountOf(symbol) === undefined);
    act(...missing.map((symbol) => pay(symbol, USUAL[PAYING[symbol[0]]])));
  });
  byId("repeat-last")?.addEventListener("change", (event) => act({ do: "repeat-last", on: event.target.checked }));
  bench.tools.points = { isForm: true, moved: listPoints };

  // Dice, rounds, grades --------------------------------------------------------------------------

  const MOST = { dice: 30, rounds: 50 };
  for (const input of document.querySelectorAll("[data-count]")) {
    const { count: of, players } = input.dataset;
    const usual = words.defaults[of][players];
    input.addEventListener("input", () => {
      const count = readNumber(input.value);
      if (count >= 1 && count <= MOST[of]) act({ do: "count", of, players, count: count === usual ? null : count });
    });
    input.addEventListener("change", () => {
      const count = readNumber(input.value);
      if (!input.value.trim()) act({ do: "count", of, players, count: null });
      else complain(input, count >= 1 && count <= MOST[of], between(1, MOST[of]));
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

  // Names and texts -------------------------------------------------------------------------------

  for (const input of document.querySelectorAll("[data-text]")) {
    const { text: of, language } = input.dataset;
    input.addEventListener("change", () => act({ do: "text", of, language, text: input.value.trim() }));
  }
  byId("difficulty")?.addEventListener("change", (event) => act({ do: "difficulty", stars: Number(event.target.value) }));
  byId("level-id")?.addEventListener("change", (event) => {
    const isFine = /^[a-z0-9][a-z0-9-]{0,39}$/.test(event.target.value);
    event.target.setAttribute("aria-invalid", String(!isFine));
    if (isFine) act({ do: "level-id", level_id: event.target.value });
  });
  function listNames() {
    for (const input of document.querySelectorAll("[data-text]")) {
      const texts = bench.draft[input.dataset.text] ?? "";
      write(input, typeof texts === "string" ? texts : texts[input.dataset.language]);
    }
    write(byId("level-id"), bench.draft.id);
    const stars = document.querySelector(`#difficulty [value="${bench.draft.difficulty ?? 0}"]`);
    if (stars) stars.checked = true;
  }
  bench.tools.names = { isForm: true, moved: listNames };
  if (document.querySelector("[data-panel=names]")) workshop.onChange(listNames);

  // Comparing with the paper ----------------------------------------------------------------------

  const checkedName = `dizzle.workshop.checked.${page.dataset.key}`;
  let checked = new Set(workshop.load(checkedName, []));
  const rowText = (i) => bench.draft.grid[i];
  const rowKey = (i) => `${i} ${rowText(i)}`;
  const at = () => workshop.rowOf(bench.cursor);
  // A row that has been changed since has to be compared again.
  const isChecked = (i) => checked.has(rowKey(i));
  function rowRight() {
    checked.add(rowKey(at()));
    workshop.store(checkedName, [...checked].slice(-200));
    const rows = bench.grid.rows.map((_, i) => i);
    const next = rows.find((i) => i > at() && !isChecked(i)) ?? rows.find((i) => !isChecked(i));
    if (next !== undefined) bench.cursor = `a${next + 1}`;
    bench.moveTo(bench.cursor, { focus: byId("grid").contains(document.activeElement) });
  }
  function fieldRight() {
    const isLast = workshop.columnOf(bench.cursor) === bench.grid.columns - 1;
    if (isLast) rowRight();
    else bench.moveTo(bench.after(bench.cursor), { focus: byId("grid").contains(document.activeElement) });
  }
  const symbolChoice = byId("check-symbol");
  const choices = Object.keys(words.symbols).flatMap((letter) =>
    letter + Object.keys(words.colours)[0] in words.coloured ? Object.keys(words.colours).map((colour) => letter + colour) : [letter],
  );
  symbolChoice?.append(new Option("–", ""), ...choices.map((symbol) => new Option(titleOf(symbol), symbol)));
  symbolChoice?.addEventListener("change", () => {
    const isHole = bench.grid.at.get(bench.cursor).number === ".";
    const symbol = symbolChoice.value;
    act({ do: "squares", put: { [bench.cursor]: isHole ? { number: "?", symbol } : { symbol } } });
  });
  bench.tools.check = {
    hasCursor: true,
    marks: () => {
      const marks = new Map();
      for (const name of bench.grid.at.keys()) {
        if (isChecked(workshop.rowOf(name))) marks.set(name, "compared");
        else if (workshop.rowOf(name) === at()) marks.set(name, "now");
      }
      return marks;
    },
    fix(number) {
      act({ do: "squares", put: { [bench.cursor]: { number } } });
    },
    key(key) {
      const numbers = { ...Object.fromEntries([..."123456"].map((n) => [n, n])), "-": "-", 0: "-", ".": "." };
      if (key === "Enter" || key === " ") fieldRight();
      else if (key in numbers) this.fix(numbers[key]);
      else return false;
      return true;
    },
    moved() {
      const square = bench.grid.at.get(bench.cursor);
      const track = bench.draft.tracks?.[bench.cursor];
      byId("check-field").innerHTML = bench.pen.field(square, track, "", "", "translate(2 2)scale(.96)");
      symbolChoice.value = square.symbol;
      byId("check-name").textContent = `${bench.cursor}:`;
      byId("check-words").textContent = bench.pen.describe(square, track);
      byId("row-right").textContent = fill(say.rowRight, { row: at() + 1 });
      const done = bench.grid.rows.filter((_, i) => isChecked(i)).length;
      byId("check-progress").textContent = fill(say.rowsChecked, { done, all: bench.grid.rows.length });
    },
  };
  document.addEventListener("click", (event) => {
    const what = event.target.closest("[data-act]")?.dataset.act;
    if (what === "field-right") fieldRight();
    else if (what === "row-right") rowRight();
  });
  for (const button of document.querySelectorAll("[data-fix]")) {
    button.addEventListener("click", () => bench.tools.check.fix(button.dataset.fix));
  }
  byId("photo")?.addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    try {
      const picture = await createImageBitmap(file);
      const scale = Math.min(1, 1600 / Math.max(picture.width, picture.height));
      const canvas = byId("photo-canvas");
      canvas.width = picture.width * scale;
      canvas.height = picture.height * scale;
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      byId("photo-frame").hidden = false;
      document.querySelector(".workbench").classList.add("with-photo");
    } catch {
      byId("photo-frame").hidden = true;
    }
  });

  bench.ready();
})();
