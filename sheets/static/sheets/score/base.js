// What all pages of scoring share: what the device remembers, and small helps in forms.
import { forgetRecent, noteRecent } from "../lib/recent.js";
import { deviceStore, tabStore } from "../lib/store.js";

const page = document.getElementById("scoring");
if (page?.dataset.title) {
  noteRecent(page.dataset.key, page.dataset.url, page.dataset.title, page.dataset.result);
}

const deletion = document.getElementById("delete");
deletion?.addEventListener("submit", () => {
  const { key } = deletion.dataset;
  forgetRecent(key);
  deviceStore.forget(`dizzle.outbox.${key}`);
  deviceStore.forget(`dizzle.pen.${key}`);
  for (const name of tabStore.names(`dizzle.put-off.${key}.`)) tabStore.forget(name);
});

// Only as many names as there are players.
const who = document.getElementById("who");
if (who) {
  const show = () => {
    const count = Number(new FormData(who).get("count"));
    for (const label of who.querySelectorAll("[data-name]")) {
      label.hidden = Number(label.dataset.name) > count;
    }
  };
  who.addEventListener("change", show);
  show();
}

// Sheets and results of one scoring are one place: Back leaves it in one step.
const here = /^\/(score|tally)\/[\w-]{32}\//.exec(location.pathname)?.[0];
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!here || !link || event.defaultPrevented || event.button || link.hasAttribute("download")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  const isOnPage = to.pathname === location.pathname && to.search === location.search;
  if (to.origin !== location.origin || !to.pathname.startsWith(here) || isOnPage) return;
  event.preventDefault();
  location.replace(link.href);
});
