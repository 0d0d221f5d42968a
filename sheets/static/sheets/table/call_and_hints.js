// What a phone does for the person who holds it: it calls them when they are to act, and shows hints
// unless they want none.
import { deviceStore } from "../lib/store.js";
import { latest, onState, page } from "./live.js";

let call = latest().call;
onState((state) => {
  const isNew = state.call && state.call !== call;
  call = state.call;
  if (isNew && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 60, 120]);
});

const NAME = "dizzle.hints";
const hints = document.getElementById("hints");
const box = hints.querySelector("input");
box.checked = deviceStore.readText(NAME) !== "no";
const showHints = () => page.classList.toggle("no-hints", !box.checked);
box.addEventListener("change", () => {
  deviceStore.writeText(NAME, box.checked ? "yes" : "no");
  showHints();
});
hints.hidden = false;
showHints();
