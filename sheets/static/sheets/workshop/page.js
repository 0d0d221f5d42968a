// Shared parts of the workshop's pages: elements, texts, lazy loading, lists of buttons.

export const page = document.getElementById("workshop");
export const byId = (id) => document.getElementById(id);
export const isWide = matchMedia("(min-width: 60rem)"); // with room next to the sheet

// Texts in the user's language.
export const words = JSON.parse(byId("words").textContent);
// Reading of the empty sheet's photo, or null.
export const empty = JSON.parse(byId("empty")?.textContent ?? "null");
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Load a module by its address. Returns a promise; a failed load can be repeated.
const coming = new Map();
export function loadScript(src) {
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

// Replace the children of an element. Equal ones stay, because a button that is replaced during a tap gets no click.
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
