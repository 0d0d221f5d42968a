// The photo's script comes only where there is a photo: chosen now, or kept by this window.
// It needs no bench, but takes acts.js and page.js from its file (see `APART` in joining.py).
import { tabStore } from "../lib/store.js";
import { sayRefusal } from "./acts.js";
import "./bench.js";
import { bring, byId, page, words } from "./page.js";

const input = byId("photo");
const { photo, key } = page.dataset;
input.addEventListener(
  "change",
  () => bring(photo).then(() => input.dispatchEvent(new Event("change")), () => sayRefusal(words.say.badPhoto)),
  { once: true },
);
if (tabStore.readText(`dizzle.workshop.photo.${key}`)) bring(photo).catch(() => {});
