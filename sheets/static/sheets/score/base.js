// What all pages of scoring share: what the device remembers, and small helps in forms.
import { deviceStore, tabStore } from "../lib/store.js";
import "./one_place.js";

const deletion = document.getElementById("delete");
deletion?.addEventListener("submit", () => {
  const { key } = deletion.dataset;
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
