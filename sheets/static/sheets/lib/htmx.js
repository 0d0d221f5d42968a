// htmx setup of all pages that use it: `hx-swap="morph"`, back and forward, and a notice without an answer.
import { isFold, morph } from "./swap.js";

const { htmx } = window;

htmx.defineExtension("morph", {
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    const now = morph(target, fragment.firstElementChild, isFold);
    return now ? [now] : []; // the answer is another page: keep the current content
  },
});

// Another page in place of a part of this page, such as an error page: show it. Polls have addresses of their own.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { requestConfig, pathInfo, target, xhr } = detail;
  const isPart = !/^\s*<!doctype/i.test(xhr.response) && xhr.response.includes(`id="${target.id}"`);
  const isOfPage = new URL(pathInfo.finalRequestPath, location).pathname === location.pathname;
  if (!detail.shouldSwap || isPart || requestConfig.verb !== "get" || !isOfPage) return;
  detail.shouldSwap = false;
  location.assign(pathInfo.finalRequestPath);
});

// No answer ---------------------------------------------------------------------------------------

// Show or hide the notice of _no_answer.html.
function showTrouble(isOn) {
  const place = document.querySelector("[data-no-answer]");
  if (place) place.hidden = !isOn;
}

document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status) showTrouble(xhr.status >= 500); // 0: no answer, or aborted
});
document.addEventListener("htmx:sendError", () => showTrouble(true));
document.addEventListener("htmx:timeout", () => showTrouble(true));

// Back and forward --------------------------------------------------------------------------------

// htmx fetches the page of the address again. A newer request aborts the previous one.
let returning = null;
document.addEventListener("htmx:historyCacheMiss", ({ detail: { xhr } }) => {
  returning?.abort();
  returning = xhr;
  xhr.timeout = htmx.config.timeout;
  xhr.addEventListener("load", () => showTrouble(xhr.status >= 400));
  for (const event of ["error", "timeout"]) xhr.addEventListener(event, () => showTrouble(true));
});
document.addEventListener("htmx:beforeRequest", () => returning?.abort());
