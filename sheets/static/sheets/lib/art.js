// The drawings of the page's sprite, and pictures that the server draws.

const SVG = "http://www.w3.org/2000/svg";
const MOST_TRIES = 5;

// One drawing of the sprite, to be put into a drawing: `use("die-3")`.
export function use(id, className = "") {
  const element = document.createElementNS(SVG, "use");
  element.setAttribute("href", `#art-${id}`);
  element.setAttribute("width", "100");
  element.setAttribute("height", "100");
  if (className) element.setAttribute("class", className);
  return element;
}

// One drawing by itself, as large as its class `pic` says.
export function picture(id) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.setAttribute("class", "pic");
  drawing.append(use(id));
  return drawing;
}

// What lies on a field is one word, such as "cross", "die-3" or "lava-cross"; each of its parts is a
// drawing in a layer under, over or on top of the symbol. `dataset` is that of the field's button: it
// knows how a cross and an explosion look there.
function drawingOf(mark, dataset) {
  if (mark === "cross") return ["over", dataset.cross];
  if (mark === "rocket") return ["over", "cross-rocket"];
  if (mark === "exploded") return ["top", dataset.scribble];
  if (mark === "lava") return ["under", "lava"];
  return mark.startsWith("die-") ? ["top", mark] : ["over", `track-${mark}`];
}

// Draw what lies on a field of the sheet now; what somebody has just put there looks fresh.
export function drawMarks(at, value, dataset) {
  const layers = { under: [], over: [], top: [] };
  for (const mark of value.startsWith("die-") ? [value] : value.split("-").filter(Boolean)) {
    const [layer, id] = drawingOf(mark, dataset);
    layers[layer].push(use(id));
  }
  const field = document.querySelector(`[data-field="${at}"]`);
  for (const [layer, drawings] of Object.entries(layers)) {
    field.querySelector(`.${layer}`).replaceChildren(...drawings);
  }
  field.classList.toggle("fresh", Boolean(value));
}

// A picture that did not come, because too many were asked for just then, is asked for again: after
// one second, two, four …
export function askAgain(image) {
  const tries = Number(image.dataset.tries ?? 0);
  if (tries >= MOST_TRIES) return;
  image.dataset.tries = tries + 1;
  setTimeout(() => (image.src = image.src), 1000 * 2 ** tries);
}
