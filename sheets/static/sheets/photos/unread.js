// Photos and sheets that were not read: the bar counts them, and nobody takes over the others by
// mistake.
import { takeAgain } from "./sending.js";

const seen = document.getElementById("seen");
const count = document.getElementById("unread-count");
const question = document.getElementById("ask-unread");

// The cards of sheets that are not left out, and the lines of photos on which no sheet was found.
const unread = () => [...document.querySelectorAll(".unread-sheet:not(.is-out), #sending .is-wrong")];

export function countUnread() {
  if (!count) return; // at a table nobody else's sheet matters
  const { length } = unread();
  count.textContent = count.dataset.said.replace("0", length);
  count.hidden = !length;
  if (!length) question.hidden = true;
}

// Ask before the others are taken over; whether there is anything to ask.
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
  again.addEventListener("click", () => takeAgain(card));
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
