// Messages in live regions, which screen readers announce (role=alert, status or log).
import { rememberTap } from "./double_taps.js";
import { markNames } from "./names.js";

const MESSAGE_MS = 9000; // time to read or hear a sentence

// Return a function that shows a sentence and links in an element; "" hides it. It disappears after `ms`, unless
// `stays(sentence)`.
export function messageIn(element, { ms = MESSAGE_MS, stays = () => false } = {}) {
  let quiet;
  function fade() {
    rememberTap();
    element.hidden = true;
  }
  return (sentence, ...links) => {
    clearTimeout(quiet);
    if (element.hidden === Boolean(sentence)) rememberTap();
    // Replace the content even for the same sentence, so that it is announced again. Hiding announces nothing.
    if (sentence) element.replaceChildren(...markNames(sentence), ...links.flatMap((link) => [" ", link]));
    element.hidden = !sentence;
    if (sentence && !stays(sentence)) quiet = setTimeout(fade, ms);
  };
}

// Sentences for screen readers only. Each is a new line, so that a repeated sentence is announced again. Lines are
// removed later, so that they do not remain in the page's text.
const log = document.createElement("div");
log.className = "for-ears";
log.setAttribute("role", "log");
document.body.append(log);

export function announce(...sentences) {
  // A full stop makes screen readers pause between two sentences.
  const said = sentences.filter(Boolean).map((one) => one.replace(/[\p{L}\d]$/u, "$&.")).join(" ");
  if (!said) return;
  const line = document.createElement("p");
  line.append(...markNames(said));
  log.append(line);
  setTimeout(() => line.remove(), MESSAGE_MS);
}

// Play the animation of a class on an element; restart it if it is running.
export function flash(element, name, ms) {
  element.classList.remove(name);
  element.getBoundingClientRect(); // forces a reflow, which restarts the animation
  element.classList.add(name);
  setTimeout(() => element.classList.remove(name), ms);
}
