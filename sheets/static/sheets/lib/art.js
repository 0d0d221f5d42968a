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

// A picture that did not come, because too many were asked for just then, is asked for again: after
// one second, two, four …
export function askAgain(image) {
  const tries = Number(image.dataset.tries ?? 0);
  if (tries >= MOST_TRIES) return;
  image.dataset.tries = tries + 1;
  setTimeout(() => (image.src = image.src), 1000 * 2 ** tries);
}
