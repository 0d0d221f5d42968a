// Deletes the device's stored data of a level with the level.
import { deviceStore } from "../lib/store.js";

const form = document.getElementById("delete-level");
form.addEventListener("submit", () => {
  const { key } = form.dataset;
  for (const name of deviceStore.names("dizzle.workshop.")) {
    if (name.includes(key)) deviceStore.forget(name);
  }
});
