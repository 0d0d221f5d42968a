// Print page: updates the preview with each choice, and loads page drawings lazily, one at a time.
import { retryImage } from "../lib/retry_images.js";
import { showChosen } from "../lib/fold_summary.js";
import { fetchLatest, FRAGMENT_HEADERS } from "../lib/latest_request.js";

const FORM = ".print-form";
const PAGES = "#print-pages";
const FOLD = `${FORM} .more-settings`;

// Drawings ----------------------------------------------------------------------------------------

const waiting = [];
let isComing = false;

const inSight = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inSight.unobserve(target);
      waiting.push(target);
    }
    next();
  },
  { threshold: 0.1 },
);

function next() {
  if (isComing) return;
  const image = waiting.shift();
  if (!image) return;
  const goOn = () => {
    isComing = false;
    next();
  };
  if (!image.isConnected) return goOn();
  isComing = true;
  for (const event of ["load", "error"]) image.addEventListener(event, goOn, { once: true });
  image.src = image.dataset.src;
}

// Without scripts, the browser loads the images in <noscript>.
function holdBack(root) {
  for (const place of root.querySelectorAll(`${PAGES} noscript`)) {
    // In a parsed fragment, Firefox has text in <noscript>, Chromium an element.
    const unread = document.createElement("template");
    unread.innerHTML = place.textContent;
    const image = place.querySelector("img") ?? unread.content.querySelector("img");
    image.dataset.src = image.getAttribute("src");
    image.removeAttribute("src");
    place.replaceWith(image);
    inSight.observe(image);
  }
}

// Retry drawings that the rate limit refused. Errors of images do not bubble, so listen in the capture phase.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && retryImage(target), true);
holdBack(document);

// Choices -----------------------------------------------------------------------------------------

const heard = document.createElement("p");
heard.className = "for-ears";
heard.setAttribute("role", "status");
document.querySelector(PAGES).before(heard);

// Move each error sentence of the fragment to its field in the form.
function sayWhatIsWrong(part) {
  const form = document.querySelector(FORM);
  for (const old of form.querySelectorAll(".fault")) old.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
  for (const why of part.querySelectorAll(".fault")) {
    const field = form.querySelector(`[name="${why.id.replace("why-", "")}"]`);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", why.id);
    (field.closest(".level-row") ?? field.closest("label")).after(why);
    const fold = field.closest("details");
    if (fold) fold.open = true;
  }
}

async function show(url, isNew) {
  const answer = await fetchLatest(url, isNew ? FRAGMENT_HEADERS : {});
  if (!answer) return;
  const { content } = Object.assign(document.createElement("template"), { innerHTML: answer.html });
  if (!content.querySelector(PAGES)) return location.assign(url); // another page: show it
  if (isNew) sayWhatIsWrong(content);
  holdBack(content);
  const { open } = document.querySelector(FOLD);
  for (const part of isNew ? [PAGES] : [PAGES, FORM]) {
    document.querySelector(part).replaceWith(content.querySelector(part));
  }
  if (open) document.querySelector(FOLD).open = true;
  showChosen();
  heard.textContent = document.querySelector(`${PAGES} [data-count]`)?.textContent ?? "";
  if (isNew) history.pushState(null, "", url);
}

document.addEventListener("change", ({ target: { form } }) => {
  if (!form?.matches(FORM)) return;
  const chosen = new URLSearchParams(new FormData(form));
  // Show no error before the first level is chosen.
  const isEarly = form.elements.level && !chosen.has("level") && !document.querySelector(`${PAGES} img, ${FORM} .fault`);
  if (!isEarly) show(`${form.action}?${chosen}`, true);
});
addEventListener("popstate", () => show(location.href, false));
