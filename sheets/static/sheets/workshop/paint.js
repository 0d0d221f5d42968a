// Painting over fields with tools that support it: always with a mouse; with a finger only while the tool collects
// fields, when the sheet scrolls with two fingers.
import { beginEntry, endEntry } from "./acts.js";
import { bench } from "./bench.js";
import { byId } from "./page.js";

const grid = byId("grid");
const STEP_PX = 8; // sampling interval of a stroke, smaller than a field

const nameAt = (x, y) => {
  const found = document.elementFromPoint(x, y);
  return grid.contains(found) ? found.closest("[data-at]")?.dataset.at : undefined;
};
addEventListener("pointerdown", (event) => {
  const { paint, isPainting } = bench.handler();
  const mayPaint = event.pointerType === "mouse" ? paint && !event.button : event.isPrimary && isPainting?.();
  bench.stroke = mayPaint && grid.contains(event.target) ? { x: event.clientX, y: event.clientY, id: event.pointerId, isDrawn: false } : null;
});
addEventListener("pointermove", (event) => {
  const { stroke } = bench;
  if (stroke?.id !== event.pointerId || event.buttons !== 1) return;
  const [from, dx, dy] = [{ ...stroke }, event.clientX - stroke.x, event.clientY - stroke.y];
  const began = nameAt(from.x, from.y);
  Object.assign(stroke, { x: event.clientX, y: event.clientY });
  // Events of a quick pointer are far apart, so sample the line in between.
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP_PX));
  for (let step = 1; step <= steps; step++) {
    const name = nameAt(from.x + (dx * step) / steps, from.y + (dy * step) / steps);
    if (!name || (name === began && !stroke.isDrawn)) continue;
    if (!stroke.isDrawn) beginEntry();
    if (!stroke.isDrawn && began) bench.handler().paint(began);
    stroke.isDrawn = true;
    bench.handler().paint(name);
  }
});
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    if (bench.stroke?.isDrawn) endEntry();
    if (end === "pointercancel") bench.stroke = null;
  });
}
