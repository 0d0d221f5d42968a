// Makes a link with `data-share-picture` open the device's share menu. Without that, it downloads the picture.

const pictures = new Map(); // promises of the pictures by address

async function fetched(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(String(answer.status));
  const [, name] = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"));
  return new File([await answer.blob()], name, { type: "image/png" });
}

function prepare(link) {
  if (!pictures.has(link.href)) pictures.set(link.href, fetched(link));
  return pictures.get(link.href);
}

const linkAt = (event) => event.target.closest?.("[data-share-picture]");

async function send(event) {
  const link = linkAt(event);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await navigator.share({ files: [await prepare(link)] });
  } catch (problem) {
    // AbortError: the user has closed the share menu.
    if (problem.name !== "AbortError") location.assign(link.href);
  } finally {
    pictures.delete(link.href);
  }
}

const example = new File([""], "dizzle.png", { type: "image/png" });
if (navigator.canShare?.({ files: [example] })) {
  // Browsers allow sharing only for some seconds after a tap, so begin rendering when the finger comes down.
  document.addEventListener("pointerdown", (event) => {
    const link = linkAt(event);
    if (link) prepare(link).catch(() => pictures.delete(link.href));
  });
  document.addEventListener("click", send);
}
