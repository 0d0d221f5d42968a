// What all pages share that let htmx exchange their parts: `hx-swap="morph"`, the way back, and a
// sentence where no answer comes.
import { isFold, morph } from "./swap.js";

const { htmx } = window;

// Where the keyboard stands in a grid is for the page to know.
const isKept = (name, element) =>
  isFold(name, element) || (name === "tabindex" && Boolean(element.closest("[role=grid]")));

htmx.defineExtension("morph", {
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    const now = morph(target, fragment.firstElementChild, isKept);
    return now ? [now] : []; // some other page in place of the part: what stands there stays
  },
});

// No answer ---------------------------------------------------------------------------------------

// A page that htmx serves says there that nothing is lost.
function showTrouble(isOn) {
  const place = document.querySelector("[data-no-answer]");
  if (place) place.hidden = !isOn;
}

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status) showTrouble(xhr.status >= 500); // 0: none came, or none was wanted any more
});
document.addEventListener("htmx:sendError", () => showTrouble(true));
document.addEventListener("htmx:timeout", () => showTrouble(true));

// Back and forward --------------------------------------------------------------------------------

// The page of an address is asked for again. Only what was wanted last counts, whatever comes first.
let returning = null;
document.addEventListener("htmx:historyCacheMiss", ({ detail: { xhr } }) => {
  returning?.abort();
  returning = xhr;
  xhr.timeout = htmx.config.timeout;
  xhr.addEventListener("load", () => showTrouble(xhr.status >= 400));
  for (const event of ["error", "timeout"]) xhr.addEventListener(event, () => showTrouble(true));
});
document.addEventListener("htmx:beforeRequest", () => returning?.abort());
