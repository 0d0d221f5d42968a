// Submits the form `#take`, and the one in `#compared`: once only, with warnings about unread photos.
import { forgetDraft, isDraftKept } from "./draft.js";
import { updatePlayers, showProblem } from "./review.js";
import { askUnread, leaveUnreadOut } from "./unread.js";

const review = document.getElementById("take");
const button = document.getElementById("take-over");
const compared = document.getElementById("compared"); // only at a table
const SECOND_TAP_MS = 1500; // time to read the warning; an earlier second tap repeats it
let isTaken = false;
let warnedAt = 0;

const isReading = () => Boolean(document.querySelector(".sending li:not(.is-wrong)"));

// Return the bytes of an image with a data: URL, which the Content-Security-Policy does not let the page fetch.
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
  // Warn once about photos that are still being read; they may be stuck, so a second tap submits the rest.
  if (form === review && isReading() && (!warnedAt || performance.now() - warnedAt < SECOND_TAP_MS)) {
    warnedAt ||= performance.now();
    showProblem(review.dataset.still, place);
    return;
  }
  if (form === review && pressed.id === "without-unread") leaveUnreadOut();
  else if (form === review && askUnread()) return;
  pressed.disabled = true;
  showProblem("", place);
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
    else showProblem(problem, place);
    if (whose) updatePlayers(whose);
  } catch {
    showProblem(review.dataset.refused, place);
  }
  pressed.disabled = false;
}

// Show the fragment with the differences from the sheet at the table, and mark the differing fields on the photo.
function showCompared(part) {
  forgetCompared();
  compared.innerHTML = part;
  const section = compared.querySelector(".compared");
  const { index, places } = section.dataset;
  for (const at of JSON.parse(places)) {
    document.querySelector(`#seen-${index} .flat [data-at="${at}"]`)?.classList.add("is-apart");
  }
  section.focus({ preventScroll: true });
  section.scrollIntoView();
}

function forgetCompared() {
  compared?.replaceChildren();
  for (const group of document.querySelectorAll(".flat .is-apart")) group.classList.remove("is-apart");
}

// Each change makes the comparison outdated.
for (const kind of ["click", "change"]) review.addEventListener(kind, forgetCompared);

addEventListener("pageshow", () => {
  button.disabled = false; // also after Back
});

addEventListener("beforeunload", (event) => {
  const isLost = !isDraftKept() && (isReading() || document.querySelector(".seen-sheet"));
  if (!isTaken && isLost) event.preventDefault();
});
