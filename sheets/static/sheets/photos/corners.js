// Shows `.mark-corners`, the button to mark the corners of a sheet that was not read. Its dialog loads at first use.

const step = document.getElementById("corner-step");
const load = () => import(step.dataset.module);

// Files that no browser shows as a picture.
const isDocument = (file) => /pdf|tiff/.test(file.type) || /\.(pdf|tiff?)$/i.test(file.name);

// Show the button in `holder`, if there is one. `onMarked` gets the fields to send with the photo.
export function offerCorners(holder, file, onMarked) {
  const button = holder.querySelector(".mark-corners");
  if (!button || isDocument(file)) return;
  button.hidden = false;
  let isAsking = false; // the second tap of a double tap does not open the dialog again
  button.addEventListener("click", async () => {
    if (isAsking) return;
    isAsking = true;
    try {
      const { askCorners } = await load();
      const said = await askCorners(file);
      if (said) onMarked(said);
    } catch {
      button.replaceWith(step.dataset.unshown);
    }
    isAsking = false;
  });
}

export async function showOutline(picture, file, outline) {
  try {
    const { drawOutline } = await load();
    await drawOutline(picture, file, outline);
  } catch {
    picture.remove(); // the question names the numbers of columns and rows
  }
}
