// With the brush a finger that is drawn over the fields marks them, or clears them if the first one was
// marked. Without it a drag scrolls, as everywhere, and marks nothing.
import { tabStore } from "../lib/store.js";
import { act, shownMarks } from "./acts.js";
import { page } from "./outbox.js";
import { valueOf } from "./taps.js";

const brush = document.getElementById("brush");
const grid = document.querySelector(".sheet-grid");
const name = `dizzle.put-off.${page.dataset.key}.brush`; // forgotten with the sheets, as all of these
let stroke = null; // the fields it has come over, and whether it clears them

function take(isOn) {
  brush.setAttribute("aria-pressed", String(isOn));
  grid.classList.toggle("is-painted", isOn);
  if (isOn) tabStore.write(name, true);
  else tabStore.forget(name);
}
const isOn = () => brush.getAttribute("aria-pressed") === "true";

function come(button) {
  const at = button?.dataset.at;
  if (!at || button.dataset.kind === "printed" || stroke.seen.has(at)) return;
  const before = shownMarks()[at] ?? "";
  const value = valueOf(button, "");
  stroke.clears ??= before !== "";
  stroke.seen.add(at);
  if (stroke.clears && before === value) act({ do: "mark", at, value: "" });
  if (!stroke.clears && before === "") act({ do: "mark", at, value });
}

const fieldAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".sheet-grid button");

if (brush) {
  brush.hidden = false;
  take(tabStore.read(name, false));
  brush.addEventListener("click", () => take(!isOn()));
  grid.addEventListener("pointerdown", (event) => {
    stroke = null;
    if (isOn() && event.isPrimary && !event.button) stroke = { from: fieldAt(event), seen: new Set() };
  });
  grid.addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary) return;
    const button = fieldAt(event);
    // A tap stays a tap: only what reaches a second field is a stroke.
    if (!stroke.seen.size && button === stroke.from) return;
    if (!stroke.seen.size) come(stroke.from);
    come(button);
  });
  // A second finger is no stroke.
  grid.addEventListener("pointerdown", (event) => event.isPrimary || (stroke = null));
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => {
      const drawn = stroke?.seen.size;
      stroke = null;
      if (!drawn) return;
      // The click that ends a stroke is none.
      const swallow = (event) => (event.preventDefault(), event.stopPropagation());
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    });
  }
}
