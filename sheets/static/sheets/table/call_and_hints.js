// What a phone does for the person who holds it: it calls them when they are to act, says what has
// happened, and shows hints unless they want none.
import { hear } from "../lib/say.js";
import { deviceStore } from "../lib/store.js";
import { latest, onState, page } from "./live.js";

let call = latest().call;
onState((state) => {
  const isNew = state.call && state.call !== call;
  call = state.call;
  if (!isNew) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 60, 120]);
  dispatchEvent(new Event("table:call"));
});
import(document.getElementById("sound").dataset.module);

// What was among the last sentences has been heard; the server tells one from the next by its key.
// Dice² has regions of its own for that.
let heard = new Map(latest().heard);
onState(({ heard: now = [] }) => {
  const fresh = now.filter(([key]) => !heard.has(key));
  heard = new Map(now);
  hear(...fresh.map(([, sentence]) => sentence));
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
