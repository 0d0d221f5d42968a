// Shared parts of the workshop's pages: elements, texts, lists.

export const page = document.getElementById("workshop");
export const byId = (id) => document.getElementById(id);
export const isWide = matchMedia("(min-width: 60rem)"); // with room next to the sheet

// Texts in the user's language.
export const words = JSON.parse(byId("words").textContent);
// Reading of the empty sheet's photo, or null.
export const empty = JSON.parse(byId("empty")?.textContent ?? "null");
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export const countPoints = (points) => (points === 1 ? words.say.onePoint : fill(words.say.points, { count: points }));

// Return a new element. Attributes that are undefined are left out.
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
export function makeButton(attributes, onTap, ...children) {
  const button = make("button", { type: "button", ...attributes }, ...children);
  if (onTap) button.addEventListener("click", onTap);
  return button;
}

// Replace the children of an element. Equal ones stay, because a button that is replaced during a tap gets no click.
export function refill(holder, children) {
  const at = [...holder.children].findIndex((child) => child.contains(document.activeElement));
  children.forEach((child, i) => {
    const before = holder.children[i];
    if (!before) holder.append(child);
    else if (!before.isEqualNode(child)) before.replaceWith(child);
  });
  while (holder.children.length > children.length) holder.lastElementChild.remove();
  if (at < 0 || holder.contains(document.activeElement)) return;
  const now = holder.children[at] ?? holder.lastElementChild;
  (now?.querySelector("button") ?? now)?.focus({ preventScroll: true });
}
