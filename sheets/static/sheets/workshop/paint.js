// Painting over fields with tools that support it: always with a mouse; with a finger only while the tool collects
// fields, when the sheet scrolls with two fingers.
import { beginEntry, endEntry } from "./acts.js";
import { bench } from "./bench.js";
import { byId } from "./page.js";

const grid = byId("grid");
const STEP_PX = 8; // sampling interval of a stroke, smaller than a field

let isMouseDrawing = false;
function paintUnderMouse(event) {
  if (event.pointerType !== "mouse" || event.buttons !== 1) return;
  const name = event.target.closest("[data-at]")?.dataset.at;
  if (!name || !bench.handler().paint) return;
  if (!isMouseDrawing) beginEntry();
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
  // Events of a quick finger are far apart, so sample the line in between.
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
function end() {
  if (isMouseDrawing || bench.stroke?.isDrawn) endEntry();
  isMouseDrawing = false;
}
addEventListener("pointerup", end);
addEventListener("pointercancel", () => {
  end();
  bench.stroke = null;
});
