// The sheets are taken over once, and nobody leaves them behind by mistake.
import { forget, showCompared } from "./compare.js";
import { forgetDraft, isDraftKept } from "./draft.js";
import { renew, tell } from "./review.js";
import { askUnread, leaveUnreadOut } from "./unread.js";

const review = document.getElementById("take");
const button = document.getElementById("take-over");
const CALM_MS = 1500; // a second tap that soon was meant for the first question
let isTaken = false;
let warnedAt = 0;

const isReading = () => Boolean(document.querySelector("#sending li:not(.is-wrong)"));

// The bytes of a picture whose address is its content; the page may not fetch those.
function contentOf(image) {
  const bytes = atob(image.getAttribute("href").split(",")[1]);
  return new Blob([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))], { type: "image/jpeg" });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#take, #compared form")) return;
  event.preventDefault();
  if (!event.submitter.disabled) take(event.target, event.submitter);
});

async function take(form, pressed) {
  const place = form.querySelector(".problem");
  // Once it was said, they may be left behind: what is stuck must not hold up the rest.
  if (form === review && isReading() && (!warnedAt || performance.now() - warnedAt < CALM_MS)) {
    warnedAt ||= performance.now();
    tell(review.dataset.still, place);
    return;
  }
  if (form === review && pressed.id === "without-unread") leaveUnreadOut();
  else if (form === review && askUnread()) return;
  pressed.disabled = true;
  tell("", place);
  try {
    const body = new FormData(form);
    for (const keep of form.querySelectorAll("[data-keep]:checked")) {
      const { keep: index } = keep.dataset;
      body.set(`picture-${index}`, await contentOf(document.getElementById(`flat-${index}`)), "sheet.jpg");
    }
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const isOld = [403, 404].includes(response.status);
    const { url, part, problem, whose } = isOld ? { problem: review.dataset.old } : await response.json();
    isTaken = Boolean(url || part);
    if (url || (part && form !== review)) await forgetDraft();
    if (url) {
      location.assign(url);
      return;
    }
    if (part) showCompared(part);
    else tell(problem, place);
    if (whose) renew(whose);
  } catch {
    tell(review.dataset.refused, place);
  }
  pressed.disabled = false;
}

// A field was tapped, or a question answered.
for (const kind of ["click", "change"]) review.addEventListener(kind, forget);

addEventListener("pageshow", () => {
  button.disabled = false; // also after Back
});

addEventListener("beforeunload", (event) => {
  const isLost = !isDraftKept() && (isReading() || document.querySelector(".seen-sheet"));
  if (!isTaken && isLost) event.preventDefault();
});
