// The drawings of the page's sprite.

const SVG = "http://www.w3.org/2000/svg";

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
