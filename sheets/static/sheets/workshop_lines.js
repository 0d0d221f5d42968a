// The tools for what pays together: arrows, chains of fields, areas.
"use strict";

(() => {
  const { page, words, bench, rowOf, act, fill } = workshop;
  if (!page) return;
  const byId = (id) => document.getElementById(id);
  const say = words.say;
  const { tools } = bench;
  const { square, refill } = bench;

  // A number that somebody types is sent when it is one, and said when it is none.
  const readNumber = (text) => {
    const plain = text.trim().replace("−", "-");
    return /^-?\d{1,2}$/.test(plain) ? Number(plain) : null;
  };
  const readNumbers = (text) => {
    const found = text.trim().split(/[\s,;·/]+/).filter(Boolean).map(readNumber);
    return found.length && found.length <= 40 && !found.includes(null) ? found : null;
  };
  Object.assign(workshop, { readNumber, readNumbers });
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
      input.focus({ preventScroll: true });
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
})();
