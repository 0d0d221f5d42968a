// The tools that work on the sheet itself: numbers, symbols, printed marks, arrows, areas, links.
"use strict";

(() => {
  const { page, words, bench, rowOf } = workshop;
  if (!page) return;
  const byId = (id) => document.getElementById(id);
  const { act } = workshop;
  const say = words.say;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const square = (name = bench.cursor) => bench.grid.at.get(name);
  const put = (name, what) => act({ do: "squares", put: { [name]: what } });
  // A symbol on a hole makes a field of it.
  const field = (name, what) => put(name, square(name).number === "." ? { number: "?", ...what } : what);

  // Numbers ---------------------------------------------------------------------------------------

  const KEYS = { "-": "-", 0: "-", ".": ".", ",": ".", " ": "." };
  const enter = (number) => {
    const at = bench.cursor;
    bench.cursor = bench.after(at);
    put(at, { number });
    tools.numbers.moved();
    follow();
  };
  const follow = () => bench.moveTo(bench.cursor, { focus: byId("grid").contains(document.activeElement) });
  const nextRow = () => {
    const row = rowOf(bench.cursor) + 1;
    if (row < bench.grid.rows.length) bench.cursor = `a${row + 1}`;
    follow();
  };
  const stepBack = () => {
    bench.cursor = bench.after(bench.cursor, -1);
    put(bench.cursor, { number: "?" });
    follow();
  };

  const tools = bench.tools;
  tools.numbers = {
    hasCursor: true,
    key(key) {
      if (/^[1-6]$/.test(key)) enter(key);
      else if (key in KEYS) enter(KEYS[key]);
      else if (key === "?") enter("?");
      else if (key === "Enter") nextRow();
      else if (key === "Backspace" || key === "Delete") stepBack();
      else return false;
      return true;
    },
    moved() {
      byId("cursor-name").textContent = `${bench.cursor}: ${bench.pen.describe(square())}`;
    },
  };
  for (const key of document.querySelectorAll("[data-number]")) {
    key.addEventListener("click", () => enter(key.dataset.number));
  }
  const ACTS = { "step-back": stepBack, "next-row": nextRow };
  document.addEventListener("click", (event) => {
    ACTS[event.target.closest("[data-act]")?.dataset.act]?.();
  });
  // The keypad's keys work wherever the focus is, as long as nobody is typing a text.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, button, a, summary, [role=grid]")) return;
    if (["numbers", "check"].includes(bench.tool) && tools[bench.tool].key(event.key)) event.preventDefault();
  });

  // Symbols ---------------------------------------------------------------------------------------

  const pick = workshop.load("dizzle.workshop.pick", { letter: "G", colour: "y" });
  const COLOURED = "KLFGJ";
  const picked = () => (COLOURED.includes(pick.letter) ? pick.letter + pick.colour : pick.letter);
  const isRails = () => bench.draft.marks === "tracks";
  const allowed = () => Object.keys(words.symbols).filter((letter) => !isRails() || !"RPO".includes(letter));
  const stamp = (name) => field(name, { symbol: square(name).symbol === picked() ? "" : picked() });

  function swatch(symbol, label, isOn, letter) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "swatch";
    button.setAttribute("aria-pressed", String(isOn));
    button.setAttribute("aria-label", label);
    button.title = label;
    const group = bench.pen.groupOf(symbol);
    button.innerHTML =
      `<svg viewBox="0 0 100 100" class="${group ? `g-${group}` : ""}" aria-hidden="true">` +
      `<use href="#art-${bench.pen.symbolId(symbol)}" x="6" y="6" width="88" height="88"/></svg><small aria-hidden="true">${letter}</small>`;
    return button;
  }
  function refill(holder, buttons) {
    const at = [...holder.children].indexOf(document.activeElement);
    holder.replaceChildren(...buttons);
    holder.children[at]?.focus();
  }
  function drawPalettes() {
    if (!byId("symbol-palette")) return;
    const isColoured = COLOURED.includes(pick.letter);
    byId("colour-palette").hidden = !isColoured;
    if (isColoured) {
      refill(byId("colour-palette"), Object.keys(words.colours).map((colour, i) => {
        const button = swatch(pick.letter + colour, words.coloured[pick.letter + colour], pick.colour === colour, i + 1);
        button.addEventListener("click", () => choose({ colour }));
        return button;
      }));
    }
    refill(byId("symbol-palette"), allowed().map((letter) => {
      const symbol = COLOURED.includes(letter) ? letter + pick.colour : letter;
      const button = swatch(symbol, words.symbols[letter], pick.letter === letter, letter);
      button.addEventListener("click", () => choose({ letter }));
      return button;
    }));
  }
  function choose(what) {
    Object.assign(pick, what);
    workshop.store("dizzle.workshop.pick", pick);
    drawPalettes();
  }
  tools.symbols = {
    hasCursor: true,
    tap: stamp,
    paint: (name) => square(name).symbol !== picked() && field(name, { symbol: picked() }),
    key(key) {
      const letter = key.toUpperCase();
      if (allowed().includes(letter)) {
        choose({ letter });
        field(bench.cursor, { symbol: picked() });
      } else if (/^[1-8]$/.test(key)) choose({ colour: Object.keys(words.colours)[key - 1] });
      else if (key === "Backspace" || key === "Delete") field(bench.cursor, { symbol: "" });
      else return false;
      return true;
    },
    moved: drawPalettes,
  };

  // Printed marks ---------------------------------------------------------------------------------

  let piece = "NS";
  const SHAPES = ["NS", "EW", "NE", "ES", "SW", "NW"];
  function drawPieces() {
    const panel = document.querySelector("[data-panel=crosses]");
    if (!panel) return;
    panel.querySelector(".for-crosses").hidden = isRails();
    panel.querySelector(".for-tracks").hidden = !isRails();
    refill(byId("track-palette"), SHAPES.map((shape) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "swatch";
      button.setAttribute("aria-pressed", String(piece === shape));
      button.setAttribute("aria-label", `${say.track} ${shape}`);
      button.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#art-track-${shape}-print" width="100" height="100"/></svg>`;
      button.addEventListener("click", () => {
        piece = shape;
        drawPieces();
      });
      return button;
    }));
  }
  tools.crosses = {
    hasCursor: true,
    tap(name) {
      if (square(name).number === "." || square(name).symbol === "V") return;
      if (isRails()) act({ do: "track", at: name, shape: bench.draft.tracks?.[name] === piece ? "" : piece });
      else put(name, { printed: !square(name).printed });
    },
    key(key) {
      if (key.toLowerCase() !== "x") return false;
      this.tap(bench.cursor);
      return true;
    },
    moved: drawPieces,
  };

  // A number that somebody types is sent when it is one, and said when it is none.
  const readNumber = (text) => {
    const plain = text.trim().replace("−", "-");
    return /^-?\d{1,2}$/.test(plain) ? Number(plain) : null;
  };
  const readNumbers = (text) => {
    const found = text.trim().split(/[\s,;·/]+/).filter(Boolean).map(readNumber);
    return found.length && found.length <= 40 && !found.includes(null) ? found : null;
  };
  Object.assign(workshop, { readNumber, readNumbers, fill });
  const complain = (input, isFine, sentence = say.badNumbers) => {
    input.setAttribute("aria-invalid", String(!isFine));
    if (!isFine) workshop.say(sentence);
  };
  workshop.complain = complain;
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
  };
  const write = (input, value) => {
    if (document.activeElement !== input) input.value = value;
  };

  // Arrows ----------------------------------------------------------------------------------------

  let edge = ""; // "row 2"
  let chain = null; // the entry being changed, or {} for one that has no field yet
  let lastPoints = 5;
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
  const isSame = (a, b) => Boolean(a?.fields && b?.fields) && workshop.entryKey(a) === workshop.entryKey(b);

  // Put a field into the entry that is being changed, or take it out.
  function toggle(entry, name, what) {
    if (square(name).number === ".") return entry;
    const fields = entry.fields ?? [];
    const rest = fields.includes(name) ? fields.filter((one) => one !== name) : [...fields, name];
    return change(entry, rest.length ? { ...entry, fields: workshop.sortNames(rest) } : null, what);
  }
  const plain = (entry) => entry && Object.fromEntries(Object.entries(entry).filter(([key]) => ["fields", "points", "race"].includes(key)));
  function change(entry, now, what) {
    const was = entry.fields?.length ? plain(entry) : null;
    if (was || now) act({ do: what, was, now: plain(now) });
    return now ?? { points: entry.points, race: entry.race };
  }

  tools.lines = {
    hasCursor: false,
    tapEdge(name) {
      chain = null;
      edge = name;
      if (!edgeLine(name)) act({ do: "row-line", ...edgeKey(name), points: lastPoints });
      bench.draw();
      this.moved();
      const input = byId("line-points");
      input.value = edgeLine(name)?.points ?? lastPoints;
      input.focus();
      input.select();
    },
    isEdgeChosen: (name) => name === edge,
    tap(name) {
      if (chain) chain = toggle(chain, name, "chain");
      this.moved();
    },
    isChosen: (name) => (chain ? Boolean(chain.fields?.includes(name)) : undefined),
    marks: () => new Map((chain?.fields ?? []).map((name) => [name, "chosen"])),
    key(key) {
      if (key !== "r" && key !== "c") return false;
      this.tapEdge(key === "r" ? `row ${rowOf(bench.cursor) + 1}` : `column ${bench.cursor[0]}`);
      return true;
    },
    moved() {
      const list = byId("line-list");
      if (!list) return;
      if (edge && !edgeLine(edge)) edge = "";
      if (chain?.fields && !chains().some((line) => isSame(line, chain))) chain = null;
      choosing(
        list,
        chains().map((line, i) => [`${fill(say.set, { number: i + 1 })} · ${line.fields.length > 5 ? fill(say.fields, { count: line.fields.length }) : line.fields.join(" ")} · ${bench.pen.digits(line.points)}`, line]),
        (line) => isSame(line, chain),
        (line) => chooseChain(isSame(line, chain) ? null : line),
      );
      byId("chain-hint").hidden = !chain;
      byId("line-amount").hidden = !edge && !chain?.fields?.length;
      if (edge) {
        byId("line-title").textContent = fill(say.pointsFor, { what: edgeTitle(edge) });
        write(byId("line-points"), edgeLine(edge).points);
      } else if (chain?.fields) {
        byId("line-title").textContent = fill(say.pointsFor, { what: fill(say.fields, { count: chain.fields.length }) });
        write(byId("line-points"), chain.points);
      }
    },
  };
  function chooseChain(entry) {
    edge = "";
    chain = entry;
    bench.draw();
    tools.lines.moved();
  }
  byId("chain-new")?.addEventListener("click", () => chooseChain({ points: lastPoints }));
  byId("line-points")?.addEventListener("input", (event) => {
    const points = readNumber(event.target.value);
    if (points === null) return;
    lastPoints = points;
    event.target.setAttribute("aria-invalid", "false");
    if (edge) act({ do: "row-line", ...edgeKey(edge), points });
    else if (chain) chain = change(chain, { ...chain, points }, "chain");
  });
  byId("line-points")?.addEventListener("change", (event) => {
    complain(event.target, readNumber(event.target.value) !== null, fill(say.badNumber, { least: "−99", most: 99 }));
  });
  byId("line-points")?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") bench.focus();
  });
  byId("line-remove")?.addEventListener("click", () => {
    if (edge) act({ do: "row-line", ...edgeKey(edge), points: null });
    else if (chain?.fields) act({ do: "chain", was: plain(chain), now: null });
    edge = "";
    chooseChain(null);
  });

  // Areas -----------------------------------------------------------------------------------------

  let area = null;
  const areas = () => bench.draft.areas ?? [];
  const amounts = (entry) => (entry.race ? entry.race.join(" ") : String(entry.points ?? ""));
  tools.areas = {
    hasCursor: true,
    tap(name) {
      if (!area) area = areas().find((one) => one.fields.includes(name)) ?? { points: 5 };
      else area = toggle(area, name, "area");
      if (!area.fields) area = toggle(area, name, "area");
      this.moved();
    },
    paint(name) {
      if (area && !area.fields?.includes(name)) area = toggle(area, name, "area");
      this.moved();
    },
    isChosen: (name) => (area ? Boolean(area.fields?.includes(name)) : undefined),
    marks: () => new Map((area?.fields ?? []).map((name) => [name, "chosen"])),
    moved() {
      const list = byId("area-list");
      if (!list) return;
      if (area?.fields && !areas().some((one) => isSame(one, area))) area = null;
      choosing(
        list,
        areas().map((one, i) => [`${fill(one.race ? say.race : say.area, { number: i + 1 })} · ${fill(say.fields, { count: one.fields.length })} · ${one.race ? one.race.map(bench.pen.digits).join("·") : bench.pen.digits(one.points ?? 0)}`, one]),
        (one) => isSame(one, area),
        (one) => chooseArea(isSame(one, area) ? null : one),
      );
      byId("area-hint").hidden = Boolean(area?.fields?.length);
      byId("area-amount").hidden = !area?.fields?.length;
      if (area?.fields) {
        const at = areas().findIndex((one) => isSame(one, area));
        byId("area-title").textContent = fill(say.pointsFor, { what: fill(say.area, { number: at + 1 }) });
        write(byId("area-points"), amounts(area));
      }
    },
  };
  function chooseArea(entry) {
    area = entry;
    bench.draw();
    tools.areas.moved();
  }
  byId("area-new")?.addEventListener("click", () => {
    chooseArea({ points: 5 });
    byId("area-hint").hidden = false;
  });
  const readArea = (text) => {
    const numbers = readNumbers(text);
    if (!numbers) return null;
    return numbers.length > 1 ? { race: numbers } : { points: numbers[0] };
  };
  byId("area-points")?.addEventListener("input", (event) => {
    const pays = readArea(event.target.value);
    if (pays && area?.fields) area = change(area, { fields: area.fields, ...pays }, "area");
  });
  byId("area-points")?.addEventListener("change", (event) => complain(event.target, readArea(event.target.value)));
  byId("area-remove")?.addEventListener("click", () => {
    if (area?.fields) act({ do: "area", was: plain(area), now: null });
    chooseArea(null);
  });

  // Links and walls -------------------------------------------------------------------------------

  let first = "";
  tools.pairs = {
    hasCursor: true,
    tap(name) {
      if (square(name).number === ".") return;
      if (!first || first === name) {
        first = first ? "" : name;
      } else {
        const kind = document.querySelector("[name=pair]:checked").value;
        const fields = workshop.sortNames([first, name]);
        const isThere = (bench.draft[kind] ?? []).some((pair) => workshop.sameSet(pair, fields));
        act({ do: "pair", kind, fields, on: !isThere });
        first = "";
      }
      byId("pair-first").textContent = first ? fill(say.firstField, { field: first }) : "";
    },
    marks: () => new Map(first ? [[first, "chosen"]] : []),
  };

  workshop.onChange(() => tools[bench.tool]?.moved?.());
})();
