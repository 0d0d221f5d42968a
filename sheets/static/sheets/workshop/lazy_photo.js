// Lazy loading of photo.js: only with a photo that was chosen now, stored in this tab, or is of the empty sheet. The
// import of bench.js makes its modules load first.
import { tabStore } from "../lib/store.js";
import { sayRefusal } from "./acts.js";
import "./bench.js";
import { byId, empty, page, words } from "./page.js";

const input = byId("photo");
const { photo, key } = page.dataset;
input.addEventListener(
  "change",
  () => import(photo).then(() => input.dispatchEvent(new Event("change")), () => sayRefusal(words.say.badPhoto)),
  { once: true },
);
if (empty || tabStore.readText(`dizzle.workshop.photo.${key}`)) import(photo).catch(() => {});
