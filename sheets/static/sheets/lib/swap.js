// Replace parts of the page with the server's HTML. Elements with the same id or data-key stay: with focus,
// scroll position, typed text and open details. The page owns what is in an element with data-keep.
import { Idiomorph } from "./idiomorph/idiomorph.min.js";
import { remember } from "./presses.js";

const BY_KEY = "by-key ";

// Idiomorph knows elements by their ids alone: while it works, keys are ids. Where a part has one key
// several times, in the lines of several players, say, those are told apart by where they stand.
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

// For `isKept`, where the server only guesses what somebody wants to see.
export const isFold = (name, element) => name === "open" && element.localName === "details";

// What somebody has typed or ticked is theirs, and so is what they have opened.
function isTheirs(name, element, change) {
  if (name === "value" && "defaultValue" in element) return element.value !== element.defaultValue;
  if (name === "checked") return element.checked !== element.defaultChecked;
  return change === "remove" && isFold(name, element);
}

const beforeNodeMorphed = (element) => !(element.dataset && "keep" in element.dataset);

// Make an element, which has an id, what another one is that has the same. `isKept(name, element)`
// says which attributes the page has for its own, too. Gives what stands there now, or null where it
// is another one or none.
export function morph(old, fresh, isKept = () => false) {
  const { id } = old;
  if (fresh?.id !== id) return null;
  remember();
  const around = [];
  for (let node = document.activeElement; node; node = node.parentElement) around.push(node);
  const beforeAttributeUpdated = (name, element, change) =>
    !isKept(name, element) && !isTheirs(name, element, change);
  keysAsIds(old, fresh);
  try {
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", callbacks: { beforeNodeMorphed, beforeAttributeUpdated } });
  } finally {
    withoutKeysAsIds(document.getElementById(id));
  }
  keepFocus(around);
  return document.getElementById(id);
}

// Exchange the element with this id for the one in `html`, which may be a whole page. Gives what
// stands there now, or null where either has none.
export function swap(id, html, isKept) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const old = document.getElementById(id);
  const fresh = holder.content.getElementById(id);
  return old && fresh ? morph(old, fresh, isKept) : null;
}

// Exchange several parts: their html by their ids.
export function swapAll(parts) {
  for (const [id, html] of Object.entries(parts)) swap(id, html);
}

// What had the focus may be gone: then what was around it has it, or the sheet, or the page.
function keepFocus(around) {
  if (!around[0] || document.activeElement === around[0]) return;
  if (around[0].isConnected) {
    around[0].focus({ preventScroll: true }); // it was moved, and not every browser moves the focus along
    return;
  }
  const kept = around.find((node) => node.isConnected && node.hasAttribute("tabindex"));
  if (kept?.id === "main") document.getElementById("sheet")?.focus({ preventScroll: true });
  if (document.activeElement === document.body) kept?.focus({ preventScroll: true });
}
