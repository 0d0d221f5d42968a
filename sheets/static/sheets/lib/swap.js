// A part of the page is exchanged in place for what the server says now. What is the same stays the
// same element: under a finger, with its focus, its scroll, what is typed into it and what is open.
// Elements are the same by their id or their data-key; what stands in an element with data-keep is the
// page's own.
import { Idiomorph } from "./idiomorph/idiomorph.min.js";

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

// What somebody has typed or ticked is theirs, and so is what they have opened.
function isTheirs(name, element) {
  if (name === "value" && "defaultValue" in element) return element.value !== element.defaultValue;
  if (name === "checked") return element.checked !== element.defaultChecked;
  return false;
}

const callbacks = {
  beforeNodeMorphed: (element) => !(element.dataset && "keep" in element.dataset),
  beforeAttributeUpdated: (name, element, change) =>
    !isTheirs(name, element) && !(name === "open" && change === "remove" && element.localName === "details"),
};

// Exchange the element with this id for the one in `html`, which may be a whole page. Gives what
// stands there now, or null where either has none.
export function swap(id, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const old = document.getElementById(id);
  const fresh = holder.content.getElementById(id);
  if (!old || !fresh) return null;
  const around = [];
  for (let node = document.activeElement; node; node = node.parentElement) around.push(node);
  keysAsIds(old, fresh);
  try {
    Idiomorph.morph(old, fresh, { morphStyle: "outerHTML", callbacks });
  } finally {
    withoutKeysAsIds(document.getElementById(id));
  }
  keepFocus(around);
  return document.getElementById(id);
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
