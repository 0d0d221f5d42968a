// Where somebody was on a page is where they are on the one that follows it.
import { tabStore } from "../lib/store.js";

const NAME = "dizzle.place";

const keepFocus = (id) => tabStore.writeText(NAME, id);

// Give the focus to what had it on the page before, if that one kept a place.
export function takeFocus() {
  const id = tabStore.readText(NAME);
  tabStore.forget(NAME);
  if (id) (document.getElementById(id) ?? document.getElementById("main")).focus({ preventScroll: true });
}

// Another stage is another page, and a page is read from its top.
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
