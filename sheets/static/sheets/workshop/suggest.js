// Suggested levels: scrolls to a new suggestion, and shows when the form has changed since.
import "../lib/htmx.js";

const byId = (id) => document.getElementById(id);
const say = (which) => (byId("wish-said").textContent = which && byId("wish-said").dataset[which]);
let isChanged = false;

function showChanged() {
  byId("wish-sheet")?.classList.toggle("changed", isChanged);
  if (isChanged) say("changed");
}
document.addEventListener("change", ({ target }) => {
  if (!target.closest("#wish")) return;
  isChanged = true;
  showChanged();
});

document.addEventListener("htmx:beforeRequest", () => {
  isChanged = false;
  say("working");
});

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status === 200) {
    const heading = byId("wish-found");
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
    say("here");
  } else say("");
  showChanged();
});
