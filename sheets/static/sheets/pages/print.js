// The Print page shows the pages of what is chosen as soon as it is chosen, and asks for a page's
// drawing when somebody comes to it, for one after the other.
import { askAgain } from "../lib/ask_again.js";
import { ask, FOR_PART } from "../lib/ask.js";

const FORM = ".print-form";
const PAGES = "#print-pages";

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

// Without script the browser itself decides when it asks for them.
function holdBack(root) {
  for (const place of root.querySelectorAll(`${PAGES} noscript`)) {
    // In a part that has just come, Firefox has text there, and Chromium the image itself.
    const unread = document.createElement("template");
    unread.innerHTML = place.textContent;
    const image = place.querySelector("img") ?? unread.content.querySelector("img");
    image.dataset.src = image.getAttribute("src");
    image.removeAttribute("src");
    place.replaceWith(image);
    inSight.observe(image);
  }
}

// A drawing that did not come, because too many were asked for just then, is asked for again. An
// image's error does not bubble, but passes here on its way down.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && askAgain(target), true);
holdBack(document);

// What is chosen ----------------------------------------------------------------------------------

const heard = document.createElement("p");
heard.className = "for-ears";
heard.setAttribute("role", "status");
document.querySelector(PAGES).before(heard);

// The part that comes has no fields: each sentence in it goes to the field it is about.
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
  }
}

async function show(url, isNew) {
  const answer = await ask(url, isNew ? FOR_PART : {});
  if (!answer) return;
  const { content } = Object.assign(document.createElement("template"), { innerHTML: answer.html });
  if (!content.querySelector(PAGES)) return location.assign(url); // another page: let it be seen
  if (isNew) sayWhatIsWrong(content);
  holdBack(content);
  for (const part of isNew ? [PAGES] : [PAGES, FORM]) {
    document.querySelector(part).replaceWith(content.querySelector(part));
  }
  heard.textContent = document.querySelector(`${PAGES} [data-count]`)?.textContent ?? "";
  if (isNew) history.pushState(null, "", url);
}

document.addEventListener("change", ({ target: { form } }) => {
  if (!form?.matches(FORM)) return;
  const chosen = new URLSearchParams(new FormData(form));
  // Whoever chooses the paper before the first level has done nothing wrong.
  const isEarly = form.elements.level && !chosen.has("level") && !document.querySelector(`${PAGES} img, ${FORM} .fault`);
  if (!isEarly) show(`${form.action}?${chosen}`, true);
});
addEventListener("popstate", () => show(location.href, false));
