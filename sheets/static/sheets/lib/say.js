// Sentences in a place of the page that screen readers listen to (role=alert or role=status).
import { remember } from "./presses.js";

const LONG_ENOUGH_MS = 9000;

// A function that says a sentence in an element, and links after it; an empty one says no more.
// After `ms` it goes by itself, unless `stays(sentence)`.
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

// What nobody sees and screen readers say, in its order. It is added as a line of its own, so that
// the same sentence once more is heard once more; it is gone again before anybody reads the page.
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
