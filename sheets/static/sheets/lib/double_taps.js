// Double-tap protection: ignore the second of two quick taps on one spot if the content there has changed in
// between, because no user has read it yet. Keys are not affected.

const READING_MS = 450; // minimum time to notice a change
const SAME_SPOT_PX = 24; // distance between two taps of a trembling thumb

// A grid of fields counts as one element; its `data-means` names the purpose of its fields.
const things = "[role=grid], button, a[href], summary, label";
const thingOf = (element) => element?.closest?.("[role=grid]") ?? element?.closest?.(things);

// Elements with `data-steps` (such as Undo) do more with each press: number of presses by element.
const steps = new WeakMap();
const UNRELATED_FIELDS = ["request", "csrfmiddlewaretoken", "entry"];

function meaningOf(thing) {
  if (!thing) return "";
  // Steps through a history may be as quick as the user likes.
  if (thing.dataset.step) return thing.dataset.step;
  if (thing.href) return thing.href;
  const { form } = thing;
  const said = [thing.name, thing.value, thing.dataset.means, steps.get(thing)];
  if (form && thing.type === "submit") {
    const isSaid = (field) => field.type === "hidden" && !UNRELATED_FIELDS.includes(field.name);
    said.push(form.action, ...[...form.elements].filter(isSaid).map((field) => field.value));
  } else if (!said[2]) said.push(thing.getAttribute("aria-label") ?? thing.textContent.trim());
  return said.join("\n");
}

// The last press: its position, the meaning of the element there, and until when that was visible at least.
let last = null;

// Call this before a script changes the page.
export function rememberTap() {
  if (!last) return;
  const there = thingOf(document.elementFromPoint(last.x, last.y));
  if (meaningOf(there) === last.meaning) last.until = performance.now();
}

let down = null;
addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
  const meaning = meaningOf(thingOf(target));
  const now = performance.now();
  const isSoon = last && now - last.until < READING_MS && Math.hypot(last.x - x, last.y - y) < SAME_SPOT_PX;
  const isRead = !isSoon || last.meaning === meaning;
  if (!isRead) last.until = now; // rapid tapping extends the protection
  down = { meaning, isRead };
}, true);

addEventListener("click", (event) => {
  const thing = thingOf(event.target);
  const pressed = down;
  down = null;
  if (!thing || !event.detail || !pressed) return; // key or script
  const meaning = meaningOf(thing);
  if (pressed.isRead && pressed.meaning === meaning) {
    last = { x: event.clientX, y: event.clientY, meaning, until: performance.now() };
    if ("steps" in thing.dataset) steps.set(thing, (steps.get(thing) ?? 0) + 1);
  } else {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

// Debounce for fields: return whether a tap is the second of a double tap. Fields show at once what the next tap
// does, so taps may follow sooner than elsewhere.
const DOUBLE_TAP_MS = 300; // maximum interval of an unintended double tap
const taps = {};

export function isDoubleTap(at) {
  const before = taps[at];
  taps[at] = performance.now();
  return taps[at] - before < DOUBLE_TAP_MS;
}
