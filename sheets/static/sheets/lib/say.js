// Sentences in a place of the page that screen readers listen to (role=alert or role=status).

const LONG_ENOUGH_MS = 9000;

// A function that says a sentence in an element, and links after it; an empty one says no more.
// After `ms` it goes by itself, unless `stays(sentence)`.
export function sayIn(element, { ms = LONG_ENOUGH_MS, stays = () => false } = {}) {
  let quiet;
  return (sentence, ...links) => {
    clearTimeout(quiet);
    // The same once more is heard once more; what is said no more only disappears.
    if (sentence) element.replaceChildren(sentence, ...links.flatMap((link) => [" ", link]));
    element.hidden = !sentence;
    if (sentence && !stays(sentence)) quiet = setTimeout(() => (element.hidden = true), ms);
  };
}

// Let a class with an animation play on an element, from its beginning if it is playing already.
export function flash(element, name, ms) {
  element.classList.remove(name);
  element.getBoundingClientRect(); // so that a second one begins anew
  element.classList.add(name);
  setTimeout(() => element.classList.remove(name), ms);
}
