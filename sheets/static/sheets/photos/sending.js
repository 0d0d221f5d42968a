// Photos that somebody has taken, chosen, dropped or pasted are sent one after the other. Each has a
// line of its own until it is read; one that did not arrive stays, and can be sent again.
import { shrink } from "./shrink.js";

const ASK_LINE_MS = 1500;
const CALM_MS = 500;

const send = document.getElementById("send");
const field = document.getElementById("photo");
const lines = document.getElementById("sending");
let last = Promise.resolve();
let inLine = 0; // photos on their way, or waiting for those
let replaced = null; // the card of a sheet that the next photo shows again

// How a page sends its photos: `says` are its sentences, `prepare(form, line)` adds to what is sent,
// `took(line, part, again)` is given the part of a page that came as the answer, and sends it once more.
// A line goes to the page with the address in its `data-to`, if it has one. `waits(line, file)` is called for a photo
// that is to be read, and `isOver(line)` once it is read, refused or left.
let [says, prepare, took, waits, isOver] = [];

export function begin(how) {
  ({ says, prepare, took, waits, isOver } = how);
  send.querySelector(".send-now").hidden = true;
  send.querySelector(".drop-hint").hidden = !matchMedia("(hover: hover)").matches;
  field.addEventListener("change", takeChosen);
  field.addEventListener("cancel", () => (replaced = null));
  takeChosen(); // somebody may have been faster than this script
}

// Ask for another photo, of the sheet with this card if there is one.
export function takeAgain(card) {
  replaced = card;
  field.click();
}

function takeChosen() {
  take(field.files);
  field.value = ""; // so that the same file can be chosen again
}

// A photo dropped anywhere on the page is meant for it, and is no file to be opened: so it is caught
// before `frame.js` hears of it.
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
  for (const file of field.multiple ? files : [...files].slice(0, 1)) {
    add(file, replaced ? { replaces: replaced.id } : {});
    replaced = null;
  }
}

export function add(file, data) {
  const line = document.getElementById("sending-one").content.firstElementChild.cloneNode(true);
  line.querySelector("b").textContent = file.name;
  Object.assign(line.dataset, data);
  let sentAt = -CALM_MS;
  line.querySelector(".drop").addEventListener("click", () => {
    // It comes to lie where what sends it again was: a second tap on that is not meant for it.
    if (performance.now() - sentAt < CALM_MS) return;
    line.dispatchEvent(new Event("drop-it"));
    leave(line);
  });
  line.querySelector(".again").addEventListener("click", () => {
    sentAt = performance.now();
    queue(line, file);
  });
  line.querySelector(".another").addEventListener("click", () => {
    takeAgain(document.getElementById(line.dataset.replaces));
    leave(line);
  });
  line.querySelector(".anyway").addEventListener("click", () => {
    line.dataset.anyway = "yes";
    line.classList.remove("has-fault");
    queue(line, file);
  });
  lines.append(line);
  line.scrollIntoView({ block: "nearest" });
  queue(line, file);
}

// A line goes once its photo is read or left; `show` puts something in its place. Whoever was on it
// goes on with what is next.
export function leave(line, show = () => {}) {
  const hadFocus = line.contains(document.activeElement);
  line.remove();
  show();
  isOver?.(line);
  if (!hadFocus) return;
  const heading = document.querySelector(".seen-sheet h2");
  heading?.setAttribute("tabindex", "-1");
  (document.querySelector("#question :checked") ?? heading ?? field).focus({ preventScroll: true });
}

function queue(line, file) {
  waits?.(line, file);
  line.classList.remove("is-wrong");
  const again = line.querySelector(".again");
  if (again === document.activeElement) line.querySelector(".drop").focus();
  again.hidden = true;
  line.querySelector("progress").hidden = true;
  say(line, inLine ? says.behind : "");
  inLine += 1;
  last = last
    .then(() => line.isConnected && read(line, file))
    .catch(() => fail(line, says.unsent))
    .then(() => (inLine -= 1));
}

async function read(line, file) {
  const bar = line.querySelector("progress");
  bar.hidden = false;
  bar.removeAttribute("value");
  say(line, says.shrinking);
  const { photo, fault } = await shrink(file);
  if (!photo) return refuse(line, says.large);
  preview(line, photo);
  if (fault && !line.dataset.anyway) return askAnyway(line, says[fault]);
  const ticket = crypto.getRandomValues(new Uint32Array(3)).join("-");
  const form = new FormData(send);
  form.set("photo", photo, file.name);
  form.set("part", "1");
  prepare(form, line);
  form.set("ticket", ticket);
  say(line, says.sending);
  const answer = await post(line, form, ticket);
  if (!line.isConnected) return; // somebody has left it
  if (typeof answer === "number") {
    const why = { 403: says.old, 404: says.old, 413: says.large, 429: says.busy, 503: says.busy }[answer];
    if (why === says.large) refuse(line, why);
    else fail(line, why ?? says.unsent, why !== says.old);
    return;
  }
  const holder = document.createElement("template");
  holder.innerHTML = answer;
  const again = holder.content.querySelector("[data-again]");
  if (again) fail(line, again.querySelector(".why"));
  else await took(line, holder.content, () => line.querySelector(".again").click());
}

// Ask whether a photo with a fault is to be sent, or another one is taken in its place.
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

// The part of a page that says what was read, or the status of another answer, 0 where none came.
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
      say(line, says.reading);
      asking = setInterval(() => askLine(line, ticket, answered.signal), ASK_LINE_MS);
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

// What it says of the photo is no news once that is read.
async function askLine(line, ticket, signal) {
  try {
    const answer = await fetch(`${says.line}?ticket=${ticket}`, { signal });
    const { place } = await answer.json();
    if (line.isConnected && !signal.aborted) say(line, place ? says.waiting + place : says.reading);
  } catch {
    // The photo is on its way all the same.
  }
}

function say(line, sentence) {
  const place = line.querySelector("p");
  if (place.textContent !== sentence) place.textContent = sentence;
}

// The sentence may be an element, with a link in it.
export function fail(line, sentence, canRepeat = true) {
  line.classList.add("is-wrong");
  line.querySelector(".again").hidden = !canRepeat;
  stop(line, sentence);
}

// This photo can never be read.
export function refuse(line, sentence) {
  fail(line, sentence, false);
  isOver?.(line);
}

export function stop(line, sentence) {
  line.querySelector("progress").hidden = true;
  if (sentence instanceof Element) line.querySelector("p").replaceChildren(...sentence.childNodes);
  else say(line, sentence);
}
