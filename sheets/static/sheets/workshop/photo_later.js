// The photo's script comes only where there is a photo: chosen now, kept by this window, or of the
// empty sheet that the level is entered from.
// It needs no bench, but takes acts.js and page.js from its file.
import { tabStore } from "../lib/store.js";
import { sayRefusal } from "./acts.js";
import "./bench.js";
import { bring, byId, empty, page, words } from "./page.js";

const input = byId("photo");
const { photo, key } = page.dataset;
input.addEventListener(
  "change",
  () => bring(photo).then(() => input.dispatchEvent(new Event("change")), () => sayRefusal(words.say.badPhoto)),
  { once: true },
);
if (empty || tabStore.readText(`dizzle.workshop.photo.${key}`)) bring(photo).catch(() => {});
