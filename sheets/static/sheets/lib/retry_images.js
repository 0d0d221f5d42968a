// Retry with back-off for images that the server renders.
const MAX_TRIES = 5; // reloads per image, 31 s in total

// Load an image again that failed, usually because of the rate limit: after 1, 2, 4, 8 and 16 seconds.
export function retryImage(image) {
  const tries = Number(image.dataset.tries ?? 0);
  if (tries >= MAX_TRIES) return;
  image.dataset.tries = tries + 1;
  setTimeout(() => (image.src = image.src), 1000 * 2 ** tries);
}
