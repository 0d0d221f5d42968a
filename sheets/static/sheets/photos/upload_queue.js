// Upload queue for photos that the user has taken, chosen, dropped or pasted: one at a time. Each photo has a line
// on the page until it is read; after a failure it can be sent again.
import { shrink } from "./shrink.js";

const POSITION_INTERVAL_MS = 1500; // polling of the position in the server's queue
const GROWTH_PX = 80; // height that a new line gains by its picture and progress
const SECOND_TAP_MS = 500; // a tap this soon after Again was not meant for Drop

const send = document.getElementById("send");
const field = document.getElementById("photo");
const lines = document.getElementById("sending");
let last = Promise.resolve();
let inLine = 0; // photos being sent or queued
const single = field.cloneNode(); // file input for one retake
let retaken; // the card of the sheet that is being photographed again
let openedAt = -SECOND_TAP_MS; // time when the file dialog for a retake was opened

// Configuration by the page: `texts`; `prepare(form, line)` adds fields to the form; `onResult(line, part, again,
// file)` gets the answer's fragment, and `again` to send the photo again; `onQueued(line, file)` and `onDone(line)` are
// called before sending, and after the photo is read, refused or dropped. A line with `data-to` is sent to that
// address.
let [texts, prepare, onResult, onQueued, onDone] = [];

export function startUploads(how) {
  ({ texts, prepare, onResult, onQueued, onDone } = how);
  send.querySelector(".send-now").hidden = true;
  send.querySelector(".drop-hint").hidden = !matchMedia("(hover: hover)").matches;
  field.addEventListener("change", takeChosen);
  for (const name of ["id", "name", "multiple", "required"]) single.removeAttribute(name);
  single.hidden = true;
  single.addEventListener("change", takeRetake);
  document.body.append(single);
  takeChosen(); // photos chosen before this script ran
}

// Open the file dialog for a retake of a card's sheet. The second tap of a double tap does not open it again.
export function retake(card) {
  if (performance.now() - openedAt < SECOND_TAP_MS) return;
  openedAt = performance.now();
  retaken = card;
  single.click();
}

// Queue the retake, instead of an earlier one of this sheet that is still waiting or was refused.
function takeRetake() {
  const [file] = single.files;
  if (!file) return;
  const replaces = retaken.id;
  for (const line of cardOf(replaces)?.querySelectorAll(".retaking li") ?? []) cancel(line);
  add(file, { replaces });
  single.value = "";
}

// Return the card that a line's photo is a retake of, or null. A card that was read has another id than before.
export const retakenCard = (line) => cardOf(line.dataset.replaces);
const cardOf = (id) => document.querySelector(`#seen > [data-index="${/\d+$/.exec(id)}"]`);

function takeChosen() {
  take(field.files);
  field.value = ""; // the same file can then be chosen again
}

// Take files dropped anywhere on the page. In the capture phase, before `frame.js`, which would open them.
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(
    kind,
    (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.stopPropagation();
      event.preventDefault();
      if (kind === "drop") take(event.dataTransfer.files);
    },
    { capture: true },
  );
}
document.addEventListener("paste", (event) => {
  const files = event.clipboardData?.files ?? [];
  if (files.length) event.preventDefault();
  take(files);
});

function take(files) {
  for (const file of field.multiple ? files : [...files].slice(0, 1)) add(file, {});
}

export function add(file, data) {
  const line = document.getElementById("sending-one").content.firstElementChild.cloneNode(true);
  line.querySelector("b").textContent = file.name;
  Object.assign(line.dataset, data);
  let sentAt = -SECOND_TAP_MS;
  line.querySelector(".drop").addEventListener("click", () => {
    // Double-tap protection: Drop moves to the position of Again.
    if (performance.now() - sentAt >= SECOND_TAP_MS) cancel(line);
  });
  line.querySelector(".again").addEventListener("click", () => {
    sentAt = performance.now();
    queue(line, file);
  });
  line.querySelector(".another").addEventListener("click", () => {
    if (retakenCard(line)) {
      retake(retakenCard(line)); // the next photo replaces this line
      return;
    }
    field.click();
    removeLine(line);
  });
  line.querySelector(".anyway").addEventListener("click", () => {
    line.dataset.anyway = "yes";
    line.classList.remove("has-fault");
    queue(line, file);
  });
  const card = retakenCard(line);
  if (card) line.querySelector(".drop").textContent = texts.discard;
  (card?.querySelector(".retaking") ?? lines).append(line);
  line.style.scrollMarginBottom = `${GROWTH_PX + (card ? barBelow(line) : 0)}px`;
  line.scrollIntoView({ block: "nearest" });
  queue(line, file);
}

// Return the height of the bar with the question if it would cover a line, else 0.
function barBelow(line) {
  const bar = document.getElementById("dock");
  return bar.getBoundingClientRect().left < line.getBoundingClientRect().right ? bar.offsetHeight : 0;
}

function cancel(line) {
  line.dispatchEvent(new Event("drop-it"));
  removeLine(line);
}

// Remove a line; `show` adds its replacement. A focus in the line moves to the card of the retake, or else to the next
// question.
export function removeLine(line, show = () => {}) {
  const hadFocus = line.contains(document.activeElement);
  line.remove();
  show();
  onDone?.(line);
  if (!hadFocus) return;
  const heading = document.querySelector(".seen-sheet h2");
  heading?.setAttribute("tabindex", "-1");
  const again = retakenCard(line)?.querySelector(".retake");
  (again ?? document.querySelector("#question :checked") ?? heading ?? field).focus({ preventScroll: true });
}

function queue(line, file) {
  onQueued?.(line, file);
  // While a refused photo is read again, its line keeps its height: the second tap of a double tap hits no other link.
  if (line.matches(".is-wrong")) line.style.minHeight = `${line.offsetHeight}px`;
  line.classList.remove("is-wrong");
  const again = line.querySelector(".again");
  if (again === document.activeElement) line.querySelector(".drop").focus();
  again.hidden = true;
  line.querySelector("progress").hidden = true;
  say(line, inLine ? texts.behind : "");
  inLine += 1;
  last = last
    .then(() => line.isConnected && read(line, file))
    .catch(() => fail(line, texts.unsent))
    .then(() => (inLine -= 1));
}

async function read(line, file) {
  const bar = line.querySelector("progress");
  bar.hidden = false;
  bar.removeAttribute("value");
  say(line, texts.shrinking);
  const { photo, fault } = await shrink(file);
  if (!photo) return refuse(line, texts.large);
  preview(line, photo);
  if (fault && !line.dataset.anyway) return askAnyway(line, texts[fault]);
  const ticket = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const form = new FormData(send);
  form.set("photo", photo, file.name);
  form.set("part", "1");
  prepare(form, line);
  form.set("ticket", ticket);
  say(line, texts.sending);
  const answer = await post(line, form, ticket);
  if (!line.isConnected) return; // dropped by the user
  if (typeof answer === "number") {
    const why = { 403: texts.old, 404: texts.old, 413: texts.large, 429: texts.busy, 503: texts.busy }[answer];
    if (why === texts.large) refuse(line, why);
    else fail(line, why ?? texts.unsent, why !== texts.old);
    return;
  }
  const holder = document.createElement("template");
  holder.innerHTML = answer;
  const again = holder.content.querySelector("[data-again]");
  if (again) fail(line, again.querySelector(".why"));
  else await onResult(line, holder.content, () => line.querySelector(".again").click(), file);
}

// Ask whether to send a faulty photo or to take another one.
function askAnyway(line, sentence) {
  fail(line, sentence, false);
  line.classList.add("has-fault");
}

function preview(line, photo) {
  if (line.querySelector("img")) return;
  const image = new Image();
  image.alt = "";
  image.addEventListener("load", () => line.prepend(image));
  const reader = new FileReader();
  reader.addEventListener("load", () => (image.src = reader.result));
  reader.readAsDataURL(photo);
}

// Send a photo. Resolves to the fragment with the reading, or to the status of another answer, 0 for none.
function post(line, form, ticket) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    const bar = line.querySelector("progress");
    const answered = new AbortController();
    let asking;
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      say(line, texts.reading);
      asking = setInterval(() => showQueuePosition(line, ticket, answered.signal), POSITION_INTERVAL_MS);
    });
    request.addEventListener("loadend", () => {
      clearInterval(asking);
      answered.abort();
      done(request.status === 200 ? request.responseText : request.status);
    });
    line.addEventListener("drop-it", () => request.abort(), { once: true });
    request.open("POST", line.dataset.to ? `${line.dataset.to}read/` : send.action);
    request.send(form);
  });
}

// Show the position in the server's queue, unless the photo has been read meanwhile.
async function showQueuePosition(line, ticket, signal) {
  try {
    const answer = await fetch(`${texts.line}?ticket=${ticket}`, { signal });
    const { place } = await answer.json();
    if (line.isConnected && !signal.aborted) say(line, place ? texts.waiting + place : texts.reading);
  } catch {
    // This does not affect the upload.
  }
}

function say(line, sentence) {
  const place = line.querySelector("p");
  if (place.textContent !== sentence) place.textContent = sentence;
}

// Mark a line as failed. `sentence` may be an element with links.
export function fail(line, sentence, canRepeat = true) {
  line.classList.add("is-wrong");
  line.querySelector(".again").hidden = !canRepeat;
  stop(line, sentence);
}

// Mark a line as failed for good.
export function refuse(line, sentence) {
  fail(line, sentence, false);
  onDone?.(line);
}

export function stop(line, sentence) {
  line.style.minHeight = "";
  line.querySelector("progress").hidden = true;
  if (sentence instanceof Element) line.querySelector("p").replaceChildren(...sentence.childNodes);
  else say(line, sentence);
}
