// How a draft is drawn, with its holes and with what is not entered yet. A field is 100 units wide.
"use strict";

(() => {
  const { nameOf, columnOf, rowOf } = workshop;
  const FONT = { alone: [50, 75.5, 69], beside: [27, 54.5, 63] };
  const COLOUR_GROUP = { B: "bomb", R: "rocket", P: "planet", O: "planet", H: "heap", V: "volcano", S: "stop" };

  // Where everything lies: `x(column, row)` in fields, `width` of the rows, room for arrows.
  workshop.layOut = (draft, grid, room) => {
    const shifts = draft.shifts ?? grid.rows.map(() => 0);
    const left = Math.min(0, ...shifts);
    const width = grid.columns + Math.max(0, ...shifts) - left;
    const last = grid.rows.findLastIndex((row) => row.some((square) => square.number !== "."));
    return {
      x: (column, row) => column + (shifts[row] ?? 0) - left,
      // Where the arrows of columns stand: all as far to the side as the lowest row.
      foot: (column) => column + (shifts[last] ?? 0) - left,
      width,
      height: grid.rows.length,
      room,
    };
  };

  workshop.drawing = (words) => {
    // A number by its characters' outlines, centred on x with its baseline at y.
    function number(text, x, y, size, paint, more = "") {
      const scale = size / 100;
      const glyphs = [...String(text)].map((c) => words.glyphs[c] ?? words.glyphs["−"]);
      let at = x - (glyphs.reduce((sum, glyph) => sum + glyph[1], 0) * scale) / 2;
      return glyphs
        .map(([id, advance]) => {
          const use = `<use class="${paint}" ${more}href="#${id}" transform="translate(${at.toFixed(1)} ${y})scale(${scale})"/>`;
          at += advance * scale;
          return use;
        })
        .join("");
    }
    const digits = (points) => String(points).replace("-", "−");

    const symbolId = (symbol) => {
      const name = words.symbolNames[symbol[0]];
      return symbol[1] ? `${name}-${words.colourNames[symbol[1]]}` : name;
    };
    const groupOf = (symbol) => (symbol[1] ? words.colourNames[symbol[1]] : (COLOUR_GROUP[symbol] ?? ""));

    function inside(square, track, paper) {
      if (square.number === ".") return "";
      const use = (id, x, y, size) =>
        `<use href="#art-${id}" x="${x}" y="${y}" width="${size}" height="${size}"/>`;
      const hasNumber = /[1-6]/.test(square.number);
      const isSmall = hasNumber || square.number === "?";
      let parts = "";
      if (square.symbol) parts += isSmall ? use(symbolId(square.symbol), 46.5, 46.5, 49) : use(symbolId(square.symbol), 7, 7, 86);
      if (square.printed) parts += use("cross-print", 0, 0, 100);
      if (track) parts += use(`track-${track}-print`, 0, 0, 100);
      if (hasNumber) parts += number(square.number, ...FONT[square.symbol ? "beside" : "alone"], `art f-ink s-${paper}`, 'stroke-width="5" ');
      if (square.number === "?") {
        const [x, y] = square.symbol ? [27, 27] : [50, 50];
        parts += `<circle class="unknown" cx="${x}" cy="${y}" r="7"/>`;
      }
      return parts;
    }
    function field(square, track, name, classes, place) {
      const group = groupOf(square.symbol);
      const isHole = square.number === ".";
      const paper = group ? "tint" : "paper";
      return (
        `<g class="art-field${group ? ` g-${group}` : ""}${isHole ? " hole" : ""}${square.number === "?" ? " open" : ""}${classes}" data-field="${name}" transform="${place}">` +
        `<rect class="paper ${isHole ? "" : `f-${paper} s-field-line`}" width="100" height="100" rx="14" stroke-width="2.5"/>` +
        `${inside(square, track, paper)}</g>`
      );
    }

    // The outline of a set of fields: the edges that have it on one side only, in quarters.
    function outline(layout, names) {
      const inside = new Set();
      for (const name of names) {
        const start = Math.round(layout.x(columnOf(name), rowOf(name)) * 4);
        for (let part = 0; part < 4; part++) inside.add(`${start + part},${rowOf(name)}`);
      }
      let path = "";
      for (const key of inside) {
        const [x, y] = key.split(",").map(Number);
        const has = (dx, dy) => inside.has(`${x + dx},${y + dy}`);
        if (!has(0, -1)) path += `M${x * 25} ${y * 100}h25`;
        if (!has(0, 1)) path += `M${x * 25} ${y * 100 + 100}h25`;
        if (!has(-1, 0)) path += `M${x * 25} ${y * 100}v100`;
        if (!has(1, 0)) path += `M${x * 25 + 25} ${y * 100}v100`;
      }
      return path;
    }
    const middle = (layout, name) => [layout.x(columnOf(name), rowOf(name)) * 100 + 50, rowOf(name) * 100 + 50];

    const widthOf = (text, size) => [...text].reduce((sum, c) => sum + words.glyphs[c][1], 0) * (size / 100);
    // As sheets/artwork/layout.py has it: of a long race the first and the last number.
    function pays(entry) {
      if (!entry.race) return digits(entry.points ?? 0);
      const text = entry.race.map(digits).join("·");
      return widthOf(text, 20) <= 88 ? text : `${digits(entry.race[0])}··${digits(entry.race.at(-1))}`;
    }
    // … and in the field in whose top right corner it meets nothing, as far up and right as possible.
    function badge(layout, grid, entry, taken) {
      const text = pays(entry);
      const quarters = (name) => Math.round(layout.x(columnOf(name), rowOf(name)) * 4);
      const names = entry.fields.filter((name) => (grid.at.get(name)?.number ?? ".") !== ".");
      const places = new Set(names.map((name) => `${quarters(name)},${rowOf(name)}`));
      const rank = (name) => {
        const { number: printed, printed: crossed, symbol } = grid.at.get(name);
        const isCovered = [0, -1, 1, -2, 2, -3, 3].some((by) => places.has(`${quarters(name) + by},${rowOf(name) - 1}`));
        const isCrowded = crossed || (symbol && (text.length > 2 || printed === "-"));
        return [taken.has(name), isCovered, isCrowded].reduce((sum, one) => sum * 2 + Number(Boolean(one)), 0);
      };
      const ranked = names.map((name) => [rank(name), rowOf(name), -quarters(name), name]);
      if (!ranked.length) return "";
      const [, row, left, name] = ranked.reduce((a, b) => ((a[0] - b[0] || a[1] - b[1] || a[2] - b[2]) <= 0 ? a : b));
      taken.add(name);
      const [height, most] = text.length === 1 ? [28, 33] : [25, 28];
      const room = (grid.at.get(name).symbol ? 50 : 96) - 8;
      const size = Math.min(most, (most * room) / widthOf(text, most));
      const wide = Math.max(widthOf(text, size) + 8, height);
      const x = 100 - left * 25 - wide;
      return (
        `<rect class="f-badge" x="${x}" y="${row * 100}" width="${wide}" height="${height}" rx="8"/>` +
        number(text, x + wide / 2, row * 100 + height / 2 + size * 0.358, size, "f-on-badge")
      );
    }

    function wall(layout, [a, b]) {
      const [ax, ay] = middle(layout, a);
      const [bx, by] = middle(layout, b);
      if (ay === by) return `M${(ax + bx) / 2} ${ay - 42}v84`;
      const left = Math.max(ax, bx) - 50;
      const right = Math.min(ax, bx) + 50;
      return right > left ? `M${left + 8} ${(ay + by) / 2}H${right - 8}` : `M${(ax + bx) / 2 - 20} ${(ay + by) / 2}h40`;
    }

    function arrows(draft, grid, layout) {
      if (!layout.room) return "";
      const size = layout.room * 100;
      let parts = "";
      for (const line of draft.lines ?? []) {
        if (line.row) {
          const x = layout.width * 100 + 3;
          const y = (line.row - 1) * 100 + 50;
          parts += `<path class="f-badge" d="M${x} ${y}l12 -28h${size - 18}v56h${18 - size}z"/>`;
          parts += number(digits(line.points), x + 4 + size / 2, y + 11, 30, "f-on-badge");
        } else if (line.column) {
          const column = line.column.charCodeAt(0) - 97;
          const x = layout.foot(column) * 100 + 50;
          const y = layout.height * 100 + 3;
          parts += `<path class="f-badge" d="M${x} ${y}l28 12v${size - 18}h-56v${18 - size}z"/>`;
          parts += number(digits(line.points), x, y + 14 + size / 2, 30, "f-on-badge");
        }
      }
      return parts;
    }

    function furniture(draft, grid, layout) {
      let parts = "";
      for (const [a, b] of draft.links ?? []) {
        const [ax, ay] = middle(layout, a);
        const [bx, by] = middle(layout, b);
        const far = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) || 1;
        const [dx, dy] = [((bx - ax) / far) * 44, ((by - ay) / far) * 44];
        parts += `<path class="link-line" d="M${ax + dx} ${ay + dy}L${bx - dx} ${by - dy}"/>`;
        parts += `<circle class="link-end" cx="${ax + dx}" cy="${ay + dy}" r="6"/><circle class="link-end" cx="${bx - dx}" cy="${by - dy}" r="6"/>`;
      }
      const taken = new Set();
      for (const area of draft.areas ?? []) {
        parts += `<path class="border-line" d="${outline(layout, area.fields)}"/>${badge(layout, grid, area, taken)}`;
      }
      const chains = (draft.lines ?? []).filter((line) => line.fields);
      chains.forEach((line, i) => {
        parts += `<path class="chain-line dashes-${i % 3}" d="${outline(layout, line.fields)}"/>${badge(layout, grid, line, taken)}`;
      });
      for (const pair of draft.walls ?? []) {
        const path = wall(layout, pair);
        parts += `<path class="wall-line" d="${path}"/><path class="wall-stones" d="${path}"/>`;
      }
      return parts + arrows(draft, grid, layout);
    }

    // Every field by its name; `marks` gives its classes: lit, chosen, compared already.
    function fields(draft, grid, layout, marks) {
      const drawn = new Map();
      grid.rows.forEach((squares, row) =>
        squares.forEach((square, column) => {
          const name = nameOf(column, row);
          const place = `translate(${layout.x(column, row) * 100 + 1.8} ${row * 100 + 1.8})scale(.964)`;
          drawn.set(name, field(square, draft.tracks?.[name], name, marks(name), place));
        }),
      );
      return drawn;
    }

    // What a field is called aloud.
    function describe(square, track) {
      if (square.number === ".") return words.say.hole;
      const parts = [{ "-": words.say.none, "?": words.say.open }[square.number] ?? square.number];
      if (square.symbol) parts.push(words.coloured[square.symbol] ?? words.symbols[square.symbol]);
      if (square.printed) parts.push(words.say.printed);
      if (track) parts.push(words.say.track);
      return parts.join(", ");
    }

    return { fields, furniture, field, describe, symbolId, groupOf, digits };
  };
})();
