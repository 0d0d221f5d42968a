// Focus across a page load: the next page focuses the same element.
import { tabStore } from "../lib/store.js";

const NAME = "dizzle.place";

const keepFocus = (id) => tabStore.writeText(NAME, id);

// Focus the element that the previous page has stored.
export function takeFocus() {
  const id = tabStore.readText(NAME);
  tabStore.forget(NAME);
  if (id) (document.getElementById(id) ?? document.getElementById("main")).focus({ preventScroll: true });
}

// Reload without restoring the scroll position, because the new stage is another page.
export function reloadAtTop() {
  keepFocus("sheet");
  history.scrollRestoration = "manual";
  scrollTo(0, 0);
  location.reload();
}
addEventListener("load", () => (history.scrollRestoration = "auto"));

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.closest("#_lobby")) keepFocus(form.closest(".seat")?.id ?? "sheet");
});
