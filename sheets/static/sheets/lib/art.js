// Drawings from the page's SVG sprite.

const SVG = "http://www.w3.org/2000/svg";

// Return a <use> element of the sprite for insertion into an <svg>: `use("die-3")`.
export function use(id, className = "") {
  const element = document.createElementNS(SVG, "use");
  element.setAttribute("href", `#art-${id}`);
  element.setAttribute("width", "100");
  element.setAttribute("height", "100");
  if (className) element.setAttribute("class", className);
  return element;
}

// Return an <svg> with one drawing, without a name for screen readers. The class `pic` sets its size.
export function picture(id) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.setAttribute("class", "pic");
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(use(id));
  return drawing;
}
