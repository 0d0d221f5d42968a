// Notifications for the player: vibration and sound when they are to act, announcements of acts, and the setting
// for hints.
import { announce } from "../lib/live_region.js";
import { deviceStore } from "../lib/store.js";
import { latestState, onState, page } from "./live.js";

let call = latestState().call;
onState((state) => {
  const isNew = state.call && state.call !== call;
  call = state.call;
  if (!isNew) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 60, 120]);
  dispatchEvent(new Event("table:call"));
});

// Modules that are not needed at first: to stay awake, for sounds, and to contribute to the dice. Without a network
// they stay missing.
for (const { dataset } of document.querySelectorAll("[data-awake], [data-module]")) {
  import(dataset.awake ?? dataset.module).catch(() => {});
}

// Announce sentences with a new key. Dice² has its own live regions.
let heard = new Map(latestState().heard);
onState(({ heard: now = [] }) => {
  const fresh = now.filter(([key]) => !heard.has(key));
  heard = new Map(now);
  announce(...fresh.map(([, sentence]) => sentence));
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
