// Replace parts of the page with the server's HTML. Elements with the same id or data-key stay: with focus,
// scroll position, typed text and open details. The page owns what is in an element with data-keep.
import { Idiomorph } from "./idiomorph/idiomorph.min.js";
import { rememberTap } from "./double_taps.js";

const BY_KEY = "by-key ";

// Idiomorph matches elements by id only, so keys become ids while it works. Keys that occur several times in a
// part, such as in the lines of several players, are matched by position instead.
function keysAsIds(...roots) {
  for (const root of roots) {
    const byKey = new Map();
    for (const element of root.querySelectorAll("[data-key]:not([id])")) {
      const { key } = element.dataset;
      byKey.set(key, byKey.has(key) ? null : element);
    }
    for (const [key, element] of byKey) if (element) element.id = BY_KEY + key;
  }
}

function withoutKeysAsIds(root) {
  for (const element of root.querySelectorAll(`[id^="${BY_KEY}"]`)) element.removeAttribute("id");
}

// For `isKept`: an open <details> is the user's choice, the server only has a default.
export const isFold = (name, element) => name === "open" && element.localName === "details";

// User input that the server's HTML must not overwrite: typed values, ticks, opened details.
function isTheirs(name, element, change) {
  if (name === "value" && "defaultValue" in element) return element.value !== element.defaultValue;
  if (name === "checked") return element.checked !== element.defaultChecked;
  return change === "remove" && isFold(name, element);
}

// The page, not the server, knows which grid button is the tab stop.
const isTabStop = (name, element) => name === "tabindex" && element.closest("[role=grid]");

const beforeNodeMorphed = (element) => !(element.dataset && "keep" in element.dataset);

// Morph an element into another one with the same id. `isKept(name, element)` names further attributes that keep
// the page's value. Returns the element in the page, or null if the ids differ.
export function morph(old, fresh, isKept = () => false) {
  const { id } = old;
  if (fresh?.id !== id) return null;
  rememberTap();
  const around = [];
  for (let node = document.activeElement; node; node = node.parentElement) around.push(node);
  const beforeAttributeUpdated = (name, element, change) =>
    !isKept(name, element) && !isTheirs(name, element, change) && !isTabStop(name, element);
  keysAsIds(old, fresh);
  try {
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", callbacks: { beforeNodeMorphed, beforeAttributeUpdated } });
  } finally {
    withoutKeysAsIds(document.getElementById(id));
  }
  keepFocus(around);
  return document.getElementById(id);
}

// Replace the element with this id by the one in `html`, which may be a whole page. Returns the element in the
// page, or null if either side has none.
export function swap(id, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const old = document.getElementById(id);
  const fresh = holder.content.getElementById(id);
  return old && fresh ? morph(old, fresh) : null;
}

// Replace several parts, given as HTML by id.
export function swapAll(parts) {
  for (const [id, html] of Object.entries(parts)) swap(id, html);
}

// If the focused element is gone, focus its nearest remaining ancestor, the sheet, or the page.
function keepFocus(around) {
  if (!around[0] || document.activeElement === around[0]) return;
  if (around[0].isConnected) {
    around[0].focus({ preventScroll: true }); // it was moved, and some browsers drop the focus then
    return;
  }
  const kept = around.find((node) => node.isConnected && node.hasAttribute("tabindex"));
  if (kept?.id === "main") document.getElementById("sheet")?.focus({ preventScroll: true });
  if (document.activeElement === document.body) kept?.focus({ preventScroll: true });
}
