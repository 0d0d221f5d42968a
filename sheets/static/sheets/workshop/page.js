// The page of a level that is being made: its parts, its words, and lists of buttons on it.

export const page = document.getElementById("workshop");
export const byId = (id) => document.getElementById(id);
export const isWide = matchMedia("(min-width: 60rem)"); // with room beside the sheet

// In the reader's language.
export const words = JSON.parse(byId("words").textContent);
// What was seen on the photo of the empty sheet, where there is one.
export const empty = JSON.parse(byId("empty")?.textContent ?? "null");
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// A script that comes after the page, under an address that the page has; a promise of it.
const coming = new Map();
export function bring(src) {
  const promise = coming.get(src) ?? new Promise((came, failed) => {
    const script = Object.assign(document.createElement("script"), { type: "module", src, onload: came });
    script.onerror = () => {
      coming.delete(src);
      failed();
    };
    document.head.append(script);
  });
  coming.set(src, promise);
  return promise;
}

// What stays the same stays: a button that is exchanged under a finger is not clicked.
export function refill(holder, buttons) {
  const at = [...holder.children].findIndex((child) => child.contains(document.activeElement));
  buttons.forEach((button, i) => {
    const before = holder.children[i];
    if (!before) holder.append(button);
    else if (!before.isEqualNode(button)) before.replaceWith(button);
  });
  while (holder.children.length > buttons.length) holder.lastElementChild.remove();
  if (at < 0 || holder.contains(document.activeElement)) return;
  const now = holder.children[at] ?? holder.lastElementChild;
  (now?.querySelector("button") ?? now)?.focus({ preventScroll: true });
}
