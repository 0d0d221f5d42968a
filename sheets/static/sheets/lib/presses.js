// Ignore the second of two quick taps on one spot, if the first has changed what is there: nobody has read it
// yet. Keys press at once.

const UNREAD_MS = 450;
const SAME_SPOT_PX = 24; // so far from one another are two taps of a nervous thumb

// A grid of fields is one thing; `data-means` says what its fields are for.
const things = "[role=grid], button, a[href], summary, label";
const thingOf = (element) => element?.closest?.("[role=grid]") ?? element?.closest?.(things);

// What has `data-steps` goes one step further with each press, whatever that is, and may say which.
const steps = new WeakMap();
const UNSAID = ["request", "csrfmiddlewaretoken", "entry"];

function meaningOf(thing) {
  if (!thing) return "";
  // Steps through what has happened may be as quick as one likes.
  if (thing.dataset.step) return thing.dataset.step;
  if (thing.href) return thing.href;
  const { form } = thing;
  const said = [thing.name, thing.value, thing.dataset.means, steps.get(thing)];
  if (form && thing.type === "submit") {
    const isSaid = (field) => field.type === "hidden" && !UNSAID.includes(field.name);
    said.push(form.action, ...[...form.elements].filter(isSaid).map((field) => field.value));
  } else if (!said[2]) said.push(thing.getAttribute("aria-label") ?? thing.textContent.trim());
  return said.join("\n");
}

// The last press: where it was, what stood there, and until when at least.
let last = null;

// To be called before the page changes by itself.
export function remember() {
  if (!last) return;
  const there = thingOf(document.elementFromPoint(last.x, last.y));
  if (meaningOf(there) === last.meaning) last.until = performance.now();
}

let down = null;
addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
  const meaning = meaningOf(thingOf(target));
  const now = performance.now();
  const isSoon = last && now - last.until < UNREAD_MS && Math.hypot(last.x - x, last.y - y) < SAME_SPOT_PX;
  const isRead = !isSoon || last.meaning === meaning;
  if (!isRead) last.until = now; // whoever hammers on it reads nothing
  down = { meaning, isRead };
}, true);

addEventListener("click", (event) => {
  const thing = thingOf(event.target);
  const pressed = down;
  down = null;
  if (!thing || !event.detail || !pressed) return; // by a key or a script
  const meaning = meaningOf(thing);
  if (pressed.isRead && pressed.meaning === meaning) {
    last = { x: event.clientX, y: event.clientY, meaning, until: performance.now() };
    if ("steps" in thing.dataset) steps.set(thing, (steps.get(thing) ?? 0) + 1);
  } else {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

// Whether a tap on a field is the second of a double tap. Fields show at once what the next tap means, so
// that taps may follow sooner than elsewhere.
const NERVOUS_MS = 300;
const taps = {};

export function isNervous(at) {
  const before = taps[at];
  taps[at] = performance.now();
  return taps[at] - before < NERVOUS_MS;
}
