// All scoring pages: the form `#delete` also deletes stored data, and the form `#who` shows one name field per player.
import { deviceStore, tabStore } from "../lib/store.js";
import "../lib/single_history_entry.js";

const deletion = document.getElementById("delete");
deletion?.addEventListener("submit", () => {
  const { key } = deletion.dataset;
  for (const name of deviceStore.names(`dizzle.outbox.${key}`)) deviceStore.forget(name);
  deviceStore.forget(`dizzle.pen.${key}`);
  for (const name of tabStore.names(`dizzle.put-off.${key}.`)) tabStore.forget(name);
});

// Show as many name fields as players.
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
