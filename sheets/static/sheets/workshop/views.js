// How to see the level: as the sheet that is being made, on a phone, or on paper.
import { askAgain } from "../lib/ask_again.js";
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
    button.setAttribute("aria-pressed", String(button.dataset.view === view));
  }
  const { revision } = known();
  if (view === "draft" || seen === revision) return;
  seen = revision;
  if (view === "paper") {
    const image = new Image();
    image.alt = words.say.preview;
    image.src = `${page.dataset.pageUrl}?r=${revision}`;
    image.className = "printed";
    image.addEventListener("error", () => askAgain(image));
    preview.replaceChildren(image);
    return;
  }
  try {
    const answer = await fetch(page.dataset.phoneUrl);
    if (answer.ok && view === "phone") preview.innerHTML = await answer.text();
  } catch {
    seen = -1;
  }
}
// On a phone a preview takes the place of the sheet: whoever goes on with a tool needs it back.
export const toDraft = () => isWide.matches || show("draft");
document.querySelector(".views")?.addEventListener("click", (event) => {
  const wanted = event.target.closest("button[data-view]")?.dataset.view;
  if (wanted) show(wanted);
});
onChange((isFromServer) => isFromServer && show(view));
