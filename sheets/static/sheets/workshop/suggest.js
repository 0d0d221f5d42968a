// Bots try a wish for seconds, so only its button has them do it. That says meanwhile that it works;
// what is shown stays until something else comes, and says so where the wish is another one by now.
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
  if (!document.querySelector("[data-working][aria-busy]")) showChanged();
});

document.addEventListener("htmx:beforeRequest", () => {
  isChanged = false;
  for (const button of document.querySelectorAll("button[data-working]")) {
    button.setAttribute("aria-busy", "true");
    button.setAttribute("aria-disabled", "true");
    button.dataset.label = button.textContent;
    button.textContent = button.dataset.working;
  }
  say("working");
});

// What comes has buttons as they are; where nothing did, they become so again.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  for (const button of document.querySelectorAll("button[aria-busy]")) {
    button.removeAttribute("aria-busy");
    button.removeAttribute("aria-disabled");
    button.textContent = button.dataset.label;
    delete button.dataset.label;
  }
  if (xhr.status === 200) {
    const heading = byId("wish-found");
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
    say("here");
  } else if (xhr.status !== 503) say("");
  showChanged();
});
