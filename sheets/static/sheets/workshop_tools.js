// The tools that work on single fields: numbers, symbols, printed marks, bridges and walls; and painting
// with any of them.
"use strict";

(() => {
  const { page, words, bench, rowOf } = workshop;
  if (!page) return;
  const byId = (id) => document.getElementById(id);
  const { act } = workshop;
  const say = words.say;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  workshop.fill = fill;
  const square = (name = bench.cursor) => bench.grid.at.get(name);
  const put = (name, what) => act({ do: "squares", put: { [name]: what } });
  // A symbol on a hole makes a field of it.
  const field = (name, what) => put(name, square(name).number === "." ? { number: "?", ...what } : what);

  // Numbers ---------------------------------------------------------------------------------------

  const KEYS = { "-": "-", 0: "-", ".": ".", ",": ".", " ": "." };
  // Where a row's last number has led to: Enter after it, as after any row, goes no further.
  let arrived = "";
  const enter = (number) => {
    const at = bench.cursor;
    bench.cursor = bench.after(at);
    arrived = rowOf(bench.cursor) > rowOf(at) ? bench.cursor : "";
    put(at, { number });
    tools.numbers.moved();
    follow();
  };
  const follow = () => bench.moveTo(bench.cursor, { focus: byId("grid").contains(document.activeElement) });
  const nextRow = () => {
    const row = rowOf(bench.cursor) + 1;
    if (bench.cursor !== arrived && row < bench.grid.rows.length) bench.cursor = `a${row + 1}`;
    arrived = "";
    follow();
  };
  const clear = () => put(bench.cursor, { number: "?" });
  const stepBack = () => {
    // Behind the last field there is none to step back from.
    const isLast = bench.after(bench.cursor) === bench.cursor;
    if (!isLast || square().number === "?") bench.cursor = bench.after(bench.cursor, -1);
    clear();
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
      else if (key === "Backspace") stepBack();
      else if (key === "Delete") clear();
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
  // The keypad's keys work wherever the focus is, as long as nobody is typing a text. A button keeps
  // Enter and the space bar for itself; what else is typed there goes on at the sheet.
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!["numbers", "check"].includes(bench.tool) || !byId("grid").checkVisibility()) return;
    if (event.target.closest("input, textarea, select, [role=grid]")) return;
    const isButton = event.target.closest("button, a, summary");
    if (isButton && !/^([-0-6?.,]|Backspace|Delete)$/.test(event.key)) return;
    if (!tools[bench.tool].key(event.key)) return;
    event.preventDefault();
    if (isButton) bench.focus();
  });
  // A key that is tapped or clicked takes no focus, or Enter would press it once more.
  for (const keypad of document.querySelectorAll(".keypad, .fixes")) {
    keypad.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (!byId("grid").contains(document.activeElement)) document.activeElement.blur();
    });
  }

  // Symbols ---------------------------------------------------------------------------------------

  const pick = workshop.load("dizzle.workshop.pick", { letter: "G", colour: "y" });
  const inColour = (letter) => (letter in words.groups ? letter : letter + pick.colour);
  const picked = () => inColour(pick.letter);
  const isRails = () => bench.draft.marks === "tracks";
  // The guided way has a step of its own for volcanoes, and stops are for rail levels alone.
  const elsewhere = () => (isRails() ? words.offRails : "") + (page.dataset.step ? (isRails() ? "V" : "VS") : "");
  const allowed = () => Object.keys(words.symbols).filter((letter) => !elsewhere().includes(letter));
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
  // What stays the same stays: a button that is exchanged under a finger is not clicked.
  function refill(holder, buttons) {
    const at = [...holder.children].indexOf(document.activeElement);
    buttons.forEach((button, i) => {
      const before = holder.children[i];
      if (!before) holder.append(button);
      else if (!before.isEqualNode(button)) before.replaceWith(button);
    });
    while (holder.children.length > buttons.length) holder.lastElementChild.remove();
    if (at >= 0) holder.children[at]?.focus({ preventScroll: true });
  }
  function drawPalettes() {
    if (!byId("symbol-palette")) return;
    const isColoured = !(pick.letter in words.groups);
    byId("colour-palette").hidden = !isColoured;
    if (isColoured) {
      refill(byId("colour-palette"), Object.keys(words.colours).map((colour, i) => {
        const button = swatch(pick.letter + colour, words.coloured[pick.letter + colour], pick.colour === colour, i + 1);
        button.addEventListener("click", () => choose({ colour }));
        return button;
      }));
    }
    refill(byId("symbol-palette"), allowed().map((letter) => {
      const button = swatch(inColour(letter), words.symbols[letter], pick.letter === letter, letter);
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

  tools.volcano = {
    hasCursor: true,
    tap: (name) => field(name, square(name).symbol === "V" ? { number: "?", symbol: "" } : { symbol: "V" }),
    key(key) {
      if (key.toLowerCase() !== "v") return false;
      this.tap(bench.cursor);
      return true;
    },
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

  // Bridges and walls -----------------------------------------------------------------------------

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

  Object.assign(bench, { square, refill });
  workshop.onChange(() => tools[bench.tool]?.moved?.());

  // Painting ---------------------------------------------------------------------------------------

  // With a mouse by any tool that can, with a finger only what a tool is just gathering (then the
  // sheet does not scroll under one finger, only under two).
  const grid = document.getElementById("grid");
  const STEP = 8;

  let isMouseDrawing = false;
  function paintUnderMouse(event) {
    if (event.pointerType !== "mouse" || event.buttons !== 1) return;
    const name = event.target.closest("[data-at]")?.dataset.at;
    if (!name || !bench.handler().paint) return;
    if (!isMouseDrawing) workshop.beginEntry();
    isMouseDrawing = true;
    bench.handler().paint(name);
  }
  grid.addEventListener("pointerover", paintUnderMouse);
  grid.addEventListener("pointerout", paintUnderMouse);

  const nameAt = (x, y) => {
    const found = document.elementFromPoint(x, y);
    return grid.contains(found) ? found.closest("[data-at]")?.dataset.at : undefined;
  };
  grid.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    const isFirst = event.isPrimary && bench.handler().isPainting?.();
    bench.stroke = isFirst ? { x: event.clientX, y: event.clientY, id: event.pointerId, isDrawn: false } : null;
  });
  grid.addEventListener("pointermove", (event) => {
    const { stroke } = bench;
    if (stroke?.id !== event.pointerId) return;
    const [from, dx, dy] = [{ ...stroke }, event.clientX - stroke.x, event.clientY - stroke.y];
    const began = nameAt(from.x, from.y);
    Object.assign(stroke, { x: event.clientX, y: event.clientY });
    // A quick finger is told of only here and there: no field on its way is left out.
    const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP));
    for (let step = 1; step <= steps; step++) {
      const name = nameAt(from.x + (dx * step) / steps, from.y + (dy * step) / steps);
      if (!name || (name === began && !stroke.isDrawn)) continue;
      if (!stroke.isDrawn) workshop.beginEntry();
      if (!stroke.isDrawn && began) bench.handler().paint(began);
      stroke.isDrawn = true;
      bench.handler().paint(name);
    }
  });
  function end() {
    if (isMouseDrawing || bench.stroke?.isDrawn) workshop.endEntry();
    isMouseDrawing = false;
  }
  addEventListener("pointerup", end);
  addEventListener("pointercancel", () => {
    end();
    bench.stroke = null;
  });

  // From tool to tool by keyboard -----------------------------------------------------------------

  const toolbar = document.querySelector(".tools");
  if (toolbar) {
    const panels = byId("panels");
    const all = [...document.querySelectorAll("[data-tool]")];
    const now = byId("tool-now");

    const choose = (tool) => {
      tool.click();
      tool.scrollIntoView({ block: "nearest", inline: "nearest" });
      now.textContent = tool.textContent;
    };

    panels.addEventListener("keydown", (event) => {
      if (event.key === "Escape") bench.focus();
    });
    for (const place of [grid, panels]) {
      place.addEventListener("keydown", (event) => {
        const by = { PageDown: 1, PageUp: -1 }[event.key];
        if (!by || event.ctrlKey || event.altKey || event.target.matches("textarea, select")) return;
        event.preventDefault();
        const at = all.findIndex((tool) => tool.dataset.tool === bench.tool);
        choose(all[(at + by + all.length) % all.length]);
        if (place === panels) bench.toPanel();
      });
    }

    // The tools are one stop for the Tab key; arrows go along them.
    toolbar.addEventListener("keydown", (event) => {
      const at = all.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      all[(to + all.length) % all.length].focus();
    });
  }
})();
