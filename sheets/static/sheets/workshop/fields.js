// Tools for single fields: symbols, printed marks, bridges and walls.
import { picture } from "../lib/art.js";
import { deviceStore } from "../lib/store.js";
import { act } from "./acts.js";
import { bench, put, putOn, square } from "./bench.js";
import { isHole, isVolcano, sameSet, sortNames } from "./draft.js";
import { byId, fill, makeButton, page, refill, words } from "./page.js";
import "./paint.js";
import { swatch } from "./swatch.js";

const { tools } = bench;
const { say, letters } = words;

// Symbols ---------------------------------------------------------------------------------------

const pick = deviceStore.read("dizzle.workshop.pick", { letter: letters.gem, colour: letters.yellow });
const inColour = (letter) => letter + (words.symbols[letter].isColoured ? pick.colour : "");
const picked = () => inColour(pick.letter);
const isRails = () => bench.draft.marks === "tracks";
// The guide has a separate step for volcanoes; stops are for rail levels only.
const elsewhere = () => [
  ...(isRails() ? words.offRails : page.dataset.step ? [letters.stop] : []),
  ...(page.dataset.step ? [letters.volcano] : []),
];
const allowed = () => Object.keys(words.symbols).filter((letter) => !elsewhere().includes(letter));
const stamp = (name) => putOn(name, { symbol: square(name).symbol === picked() ? "" : picked() });

function drawPalettes() {
  if (!byId("symbol-palette")) return;
  const { isColoured } = words.symbols[pick.letter];
  byId("colour-palette").hidden = !isColoured;
  if (isColoured) {
    refill(byId("colour-palette"), [...words.colours].map((colour, i) => {
      const symbol = pick.letter + colour;
      return swatch(symbol, words.written[symbol].says, () => choose({ colour }), pick.colour === colour, i + 1);
    }));
  }
  refill(byId("symbol-palette"), allowed().map((letter) =>
    swatch(inColour(letter), words.symbols[letter].says, () => choose({ letter }), pick.letter === letter, letter)));
}
function choose(what) {
  Object.assign(pick, what);
  deviceStore.write("dizzle.workshop.pick", pick);
  drawPalettes();
}
tools.symbols = {
  hasCursor: true,
  tap: stamp,
  paint: (name) => square(name).symbol !== picked() && putOn(name, { symbol: picked() }),
  key(key) {
    const letter = key.toUpperCase();
    if (allowed().includes(letter)) {
      choose({ letter });
      putOn(bench.cursor, { symbol: picked() });
    } else if (words.colours[key - 1]) choose({ colour: words.colours[key - 1] });
    else if (key === "Backspace" || key === "Delete") putOn(bench.cursor, { symbol: "" });
    else return false;
    return true;
  },
  moved: drawPalettes,
};

tools.volcano = {
  hasCursor: true,
  tap: (name) => putOn(name, isVolcano(square(name)) ? { number: words.signs.open, symbol: "" } : { symbol: letters.volcano }),
  key(key) {
    if (key.toUpperCase() !== letters.volcano) return false;
    this.tap(bench.cursor);
    return true;
  },
};

// Printed marks ---------------------------------------------------------------------------------

let [[piece]] = words.shapes;
function drawPieces() {
  const panel = document.querySelector("[data-panel=crosses]");
  if (!panel) return;
  panel.querySelector(".for-crosses").hidden = isRails();
  panel.querySelector(".for-tracks").hidden = !isRails();
  refill(byId("track-palette"), words.shapes.map(([shape, name]) => {
    const choosePiece = () => {
      piece = shape;
      drawPieces();
    };
    const attributes = { class: "swatch", "aria-pressed": piece === shape, "aria-label": name };
    return makeButton(attributes, choosePiece, picture(`track-${shape}-print`));
  }));
}
tools.crosses = {
  hasCursor: true,
  tap(name) {
    if (isHole(square(name)) || isVolcano(square(name))) return;
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
    if (isHole(square(name))) return;
    if (!first || first === name) {
      first = first ? "" : name;
    } else {
      const kind = document.querySelector("[name=pair]:checked").value;
      const fields = sortNames([first, name]);
      const isThere = (bench.draft[kind] ?? []).some((pair) => sameSet(pair, fields));
      act({ do: "pair", kind, fields, on: !isThere });
      first = "";
    }
    byId("pair-first").textContent = first ? fill(say.firstField, { field: first }) : "";
  },
  marks: () => new Map(first ? [[first, "chosen"]] : []),
};
