// Photos and sheets that could not be read: their number in the bar, and a question before submitting the others.
import { retake } from "./upload_queue.js";

const seen = document.getElementById("seen");
const count = document.getElementById("unread-count");
const question = document.getElementById("ask-unread");

// Return the cards of unread sheets that are not left out, and the lines of photos without a sheet.
const unread = () => [...document.querySelectorAll(".unread-sheet:not(.is-out), #sending .is-wrong")];

export function countUnread() {
  if (!count) return; // at a table only the user's own sheet matters
  const { length } = unread();
  count.textContent = count.dataset.said.replace("0", length);
  count.hidden = !length;
  if (!length) question.hidden = true;
}

// Ask before submitting the others. Returns whether there are unread ones.
export function askUnread() {
  const missing = question ? unread() : [];
  if (!missing.length) return false;
  const pictures = missing.map((one) => one.querySelector("img")).filter(Boolean);
  question.querySelector(".thumbnails").replaceChildren(...pictures.map((one) => one.cloneNode()));
  question.hidden = false;
  question.focus();
  return true;
}

export function leaveUnreadOut() {
  for (const out of seen.querySelectorAll(".unread-sheet [name^='out-']")) out.checked = true;
  question.hidden = true;
}

export function beginUnread(card) {
  const again = card.querySelector(".retake");
  again.hidden = false;
  again.addEventListener("click", () => retake(card));
  card.querySelector("[name^='out-']").addEventListener("change", (event) => {
    card.classList.toggle("is-out", event.target.checked);
    countUnread();
  });
}

document.getElementById("back-to-unread")?.addEventListener("click", () => {
  question.hidden = true;
  const [first] = unread();
  first.scrollIntoView({ block: "center" });
  first.querySelector("button:not([hidden])").focus({ preventScroll: true });
});

const lines = { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] };
new MutationObserver(countUnread).observe(document.getElementById("sending"), lines);
countUnread();
