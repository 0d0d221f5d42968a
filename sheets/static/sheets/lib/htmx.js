// What all pages share that let htmx exchange their parts: `hx-swap="morph"`, the way back, and a
// sentence where no answer comes.
import { morph } from "./swap.js";

const { htmx } = window;

// What is open and where the keyboard stands in a grid is the page's own; the server only guesses.
const isKept = (name, element) =>
  (name === "open" && element.localName === "details") || (name === "tabindex" && Boolean(element.closest("[role=grid]")));

htmx.defineExtension("morph", {
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    return [morph(target, fragment instanceof Element ? fragment : fragment.firstElementChild, isKept)];
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

// The page of an address is asked for again; where it names its changing part (hx-history-elt), that
// becomes what it was. Only what was wanted last counts, whatever comes first.
let returning = null;
document.addEventListener("htmx:historyCacheMiss", ({ detail: { xhr, historyElt, swapSpec } }) => {
  returning?.abort();
  returning = xhr;
  htmx.trigger(historyElt, "htmx:abort");
  if (historyElt !== document.body) swapSpec.swapStyle = "morph";
  xhr.timeout = htmx.config.timeout;
  xhr.addEventListener("load", () => showTrouble(xhr.status >= 400));
  for (const event of ["error", "timeout"]) xhr.addEventListener(event, () => showTrouble(true));
});
document.addEventListener("htmx:beforeRequest", () => returning?.abort());
