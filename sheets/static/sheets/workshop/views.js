// Views of the level: the draft, a phone preview, or a print preview.
import { retryImage } from "../lib/retry_images.js";
import { known, onChange } from "./acts.js";
import { byId, isWide, page, words } from "./page.js";

const preview = byId("preview");
let view = "draft";
let seen = -1;
async function show(wanted) {
  if (wanted !== view) seen = -1;
  view = wanted;
  page.dataset.view = view;
  preview.hidden = view === "draft";
  for (const button of document.querySelectorAll("button[data-view]")) {
    button.setAttribute("aria-pressed", button.dataset.view === view);
  }
  const { revision } = known();
  if (view === "draft" || seen === revision) return;
  seen = revision;
  if (view === "paper") {
    const image = new Image();
    image.alt = words.say.preview;
    image.src = `${page.dataset.pageUrl}?r=${revision}`;
    image.className = "printed";
    image.addEventListener("error", () => retryImage(image));
    preview.replaceChildren(image);
    return;
  }
  try {
    const answer = await fetch(page.dataset.phoneUrl);
    if (!answer.ok) seen = -1;
    else if (view === "phone" && seen === revision) preview.innerHTML = await answer.text();
  } catch {
    seen = -1;
  }
}
// On a phone a preview replaces the sheet, so show the sheet again when a tool is used.
export const toDraft = () => isWide.matches || show("draft");
document.querySelector(".views")?.addEventListener("click", (event) => {
  const wanted = event.target.closest("button[data-view]")?.dataset.view;
  if (wanted) show(wanted);
});
onChange((isFromServer) => isFromServer && show(view));
