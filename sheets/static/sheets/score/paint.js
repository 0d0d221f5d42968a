// Brush mode (`#brush`) of a `.sheet-grid`: a stroke over fields marks them, or clears them if the first one was
// marked; on rail sheets it draws a track. Without the brush a drag scrolls, as everywhere.
import { tabStore } from "../lib/store.js";
import { act, shownMarks, sketch } from "./marked_sheet.js";
import { marksAlong, extendPaths } from "./track_strokes.js";
import { page } from "./page.js";
import { valueOf } from "./taps.js";

const brush = document.getElementById("brush");
const grid = document.querySelector(".sheet-grid");
const name = `dizzle.put-off.${page.dataset.key}.brush`; // this prefix is deleted with the sheets
const STEP_PX = 6; // sampling interval, far less than a field, so that a quick stroke skips none
let stroke = null; // the first field, the last position and, after leaving that field, the `hand` that marks fields

function take(isOn) {
  brush.setAttribute("aria-pressed", String(isOn));
  grid.classList.toggle("is-painted", isOn);
  if (isOn) tabStore.write(name, true);
  else tabStore.forget(name);
}
const isOn = () => brush.getAttribute("aria-pressed") === "true";

// Hand for crosses, which are set as soon as the finger reaches a field.
function crossing() {
  const seen = new Set();
  let clears = null;
  return {
    come(button) {
      const { at } = button.dataset;
      if (button.dataset.kind === "printed" || seen.has(at)) return;
      const before = shownMarks()[at] ?? "";
      const value = valueOf(button, "");
      clears ??= before !== "";
      seen.add(at);
      if (clears && before === value) act({ do: "mark", at, value: "" });
      if (!clears && before === "") act({ do: "mark", at, value });
    },
    finish() {},
    drop() {},
  };
}

// Hand for tracks, which are only a sketch until the finger is lifted.
function laying() {
  const before = shownMarks();
  const ways = [];
  const drawn = () => {
    const marks = marksAlong(ways, before);
    const changed = Object.keys(marks).filter((at) => marks[at] !== before[at]);
    return changed.map((at) => ({ do: "mark", at, value: marks[at] }));
  };
  return {
    come(button) {
      extendPaths(ways, button.dataset.at);
      sketch(drawn());
    },
    finish() {
      act(...drawn());
      sketch([]);
    },
    drop: () => sketch([]),
  };
}

const fieldAt = (x, y) => document.elementFromPoint(x, y)?.closest(".sheet-grid button");

// Return the fields on the straight line from the last position.
function fieldsTo({ clientX, clientY }) {
  const { x, y } = stroke;
  const steps = Math.ceil(Math.hypot(clientX - x, clientY - y) / STEP_PX);
  const shares = Array.from({ length: steps }, (_, i) => (i + 1) / steps);
  return shares.map((share) => fieldAt(x + (clientX - x) * share, y + (clientY - y) * share)).filter(Boolean);
}

if (brush) {
  brush.hidden = false;
  take(tabStore.read(name, false));
  brush.addEventListener("click", () => take(!isOn()));
  grid.addEventListener("pointerdown", (event) => {
    stroke?.hand?.drop();
    stroke = null;
    // Ignore further fingers.
    if (!isOn() || !event.isPrimary || event.button) return;
    const { clientX: x, clientY: y } = event;
    stroke = { from: fieldAt(x, y), x, y };
  });
  addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary) return;
    for (const button of fieldsTo(event)) {
      // A stroke begins when the finger reaches a second field; before, it is a tap.
      if (!stroke.hand && button === stroke.from) continue;
      if (!stroke.hand) {
        stroke.hand = "rails" in page.dataset ? laying() : crossing();
        if (stroke.from) stroke.hand.come(stroke.from);
      }
      stroke.hand.come(button);
    }
    Object.assign(stroke, { x: event.clientX, y: event.clientY });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      const hand = stroke?.hand;
      stroke = null;
      if (!hand) return;
      if (end === "pointerup") hand.finish();
      else hand.drop();
      // Ignore the click that ends a stroke.
      const swallow = (event) => (event.preventDefault(), event.stopPropagation());
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    });
  }
}
