// Preserves scroll position and form values when the buttons for language and theme reload the page.
import { tabStore } from "./lib/store.js";

const NAME = "dizzle.sight"; // not what table/kept_focus.js remembers
const folds = () => [...document.querySelectorAll("main details")];
const named = () => document.querySelectorAll("main [id]");
const formFields = () => [...document.querySelectorAll("form:is(.start, .who) input:not([type=hidden])")];
const said = ({ type }) => (["radio", "checkbox"].includes(type) ? "checked" : "value");

// The first element with an id in the window, else the last above it. A scroll distance would not do:
// another language has longer or shorter texts.
function firstVisible() {
  let found = null;
  for (const element of named()) {
    const { top, height } = element.getBoundingClientRect();
    // Elements in a closed <details> have a position and a height, too.
    if (!height || !element.checkVisibility?.() || top >= innerHeight) continue;
    found = { id: element.id, top };
    if (top >= 0) break;
  }
  return found;
}

document.addEventListener("submit", ({ target }) => {
  if (!target.closest(".settings")) return;
  const { next } = target.elements;
  const page = next.value.replace(/[?#].*/, "");
  // Use the current query, which scripts may have changed since the page was loaded.
  const chosen = page === location.pathname ? page + location.search : next.value.replace(/#.*/, "");
  next.value = chosen + location.hash;
  const open = folds().map((fold) => fold.open);
  const values = formFields().map((field) => field[said(field)]);
  tabStore.write(NAME, { path: location.pathname, ...firstVisible(), open, values });
});

function restore({ id, top, open, values }) {
  const fields = formFields();
  if (values.length === fields.length) {
    fields.forEach((field, i) => (field[said(field)] = values[i]));
  }
  const all = folds();
  if (open.length === all.length) all.forEach((fold, i) => (fold.open = open[i]));
  const element = id && document.getElementById(id);
  if (element) scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" });
}

const kept = tabStore.read(NAME);
tabStore.forget(NAME);
// After the browser has scrolled to the fragment of the address.
if (kept?.path === location.pathname) addEventListener("load", () => restore(kept));
