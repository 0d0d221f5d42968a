// A drawing that did not come, because too many were asked for just then, is asked for again: after
// one second, two, four …
"use strict";
{
  const mostTries = 5;

  function askAgain(image) {
    const tries = Number(image.dataset.tries ?? 0);
    if (tries >= mostTries) return;
    image.dataset.tries = tries + 1;
    setTimeout(() => (image.src = image.src), 1000 * 2 ** tries);
  }

  // An image's error does not bubble, but passes here on its way down.
  document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && askAgain(target), true);
  // Those that failed before this script was there.
  for (const image of document.images) if (image.complete && !image.naturalWidth) askAgain(image);
}
