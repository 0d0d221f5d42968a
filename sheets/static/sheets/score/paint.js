// With the brush a finger that is drawn over the fields marks them, or clears them if the first one was
// marked; on rails it draws the track. Without it a drag scrolls, as everywhere, and marks nothing.
import { tabStore } from "../lib/store.js";
import { act, shownMarks, sketch } from "./drawn.js";
import { drawAlong, goOn } from "./along.js";
import { page } from "./place.js";
import { valueOf } from "./taps.js";

const brush = document.getElementById("brush");
const grid = document.querySelector(".sheet-grid");
const name = `dizzle.put-off.${page.dataset.key}.brush`; // forgotten with the sheets, as all of these
const STEP_PX = 6; // far less than a field: a quick finger leaves none out
let stroke = null; // the field it begins on, where it was last and, once it has left that field, its `hand`

function take(isOn) {
  brush.setAttribute("aria-pressed", String(isOn));
  grid.classList.toggle("is-painted", isOn);
  if (isOn) tabStore.write(name, true);
  else tabStore.forget(name);
}
const isOn = () => brush.getAttribute("aria-pressed") === "true";

// Crosses are made as the finger comes over them.
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

// Which pieces of track the finger means is known when it goes up; until then they are a sketch.
function laying() {
  const before = shownMarks();
  const ways = [];
  const drawn = () => {
    const marks = drawAlong(ways, before);
    const changed = Object.keys(marks).filter((at) => marks[at] !== before[at]);
    return changed.map((at) => ({ do: "mark", at, value: marks[at] }));
  };
  return {
    come(button) {
      goOn(ways, button.dataset.at);
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

// The fields on the straight line from where the finger was.
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
    // A second finger is no stroke.
    if (!isOn() || !event.isPrimary || event.button) return;
    const { clientX: x, clientY: y } = event;
    stroke = { from: fieldAt(x, y), x, y };
  });
  addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary) return;
    for (const button of fieldsTo(event)) {
      // A tap stays a tap: only what reaches a second field is a stroke.
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
      // The click that ends a stroke is none.
      const swallow = (event) => (event.preventDefault(), event.stopPropagation());
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    });
  }
}
