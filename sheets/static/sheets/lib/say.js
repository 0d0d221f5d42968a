// Messages in live regions, which screen readers announce (role=alert or role=status).
import { remember } from "./presses.js";

const LONG_ENOUGH_MS = 9000;

// Return a function that shows a sentence and links in an element; "" hides it. It disappears after `ms`, unless
// `stays(sentence)`.
export function sayIn(element, { ms = LONG_ENOUGH_MS, stays = () => false } = {}) {
  let quiet;
  function fade() {
    remember();
    element.hidden = true;
  }
  return (sentence, ...links) => {
    clearTimeout(quiet);
    if (element.hidden === Boolean(sentence)) remember();
    // The same once more is heard once more; what is said no more only disappears.
    if (sentence) element.replaceChildren(sentence, ...links.flatMap((link) => [" ", link]));
    element.hidden = !sentence;
    if (sentence && !stays(sentence)) quiet = setTimeout(fade, ms);
  };
}

// Sentences for screen readers only. Each is a new line, so that a repeated sentence is announced again; it is
// removed before anybody reads the page.
const ears = document.createElement("div");
ears.className = "for-ears";
ears.setAttribute("role", "log");
document.body.append(ears);

export function hear(...sentences) {
  // A pause between two of them: an act that is told ends without a full stop.
  const said = sentences.filter(Boolean).map((one) => one.replace(/[\p{L}\d]$/u, "$&.")).join(" ");
  if (!said) return;
  const line = document.createElement("p");
  line.textContent = said;
  ears.append(line);
  setTimeout(() => line.remove(), LONG_ENOUGH_MS);
}

// Let a class with an animation play on an element, from its beginning if it is playing already.
export function flash(element, name, ms) {
  element.classList.remove(name);
  element.getBoundingClientRect(); // so that a second one begins anew
  element.classList.add(name);
  setTimeout(() => element.classList.remove(name), ms);
}
