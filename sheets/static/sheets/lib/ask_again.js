// Pictures that the server draws.
const MOST_TRIES = 5;

// A picture that did not come, because too many were asked for just then, is asked for again: after
// one second, two, four …
export function askAgain(image) {
  const tries = Number(image.dataset.tries ?? 0);
  if (tries >= MOST_TRIES) return;
  image.dataset.tries = tries + 1;
  setTimeout(() => (image.src = image.src), 1000 * 2 ** tries);
}
