// Uploads by native form submission: dropped files, and multipart forms. Without an answer the browser would show
// its own error page and lose the chosen files, so a health check comes first.
import { sayUnsent } from "./frame.js";
import { abortAfter } from "./lib/request_timeout.js";
import { submit } from "./lib/submit.js";

const HEALTH_TIMEOUT_MS = 8000; // a slower network would not upload a file either
const MAX_BYTES = 1_000_000; // no document is larger; of larger files only the beginning is sent, for the refusal

// 502 and 504 come from a proxy whose server does not answer.
async function isServerAlive() {
  try {
    const signal = abortAfter(HEALTH_TIMEOUT_MS);
    const { status } = await fetch("/health/", { method: "HEAD", cache: "no-store", signal });
    return status !== 502 && status !== 504;
  } catch {
    return false;
  }
}

// Forms ------------------------------------------------------------------------------------------

let isAsking = false;
let isSure = false;

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (form.enctype !== "multipart/form-data" || event.defaultPrevented) return;
  if (isSure) return;
  event.preventDefault();
  if (isAsking) return;
  isAsking = true;
  isSure = await isServerAlive();
  isAsking = false;
  if (isSure) {
    sayUnsent("");
    submit(form, submitter);
  } else sayUnsent(document.body.dataset.notSent, form);
  isSure = false;
});

// Dropped files ----------------------------------------------------------------------------------

function input(form, name, type) {
  const made = document.createElement("input");
  Object.assign(made, { name, type, hidden: true });
  form.append(made);
  return made;
}

// Return whether this is a readable file and no folder.
async function isFile(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

// A page with a file field of its own gets the dropped files.
async function sendTo(own, files) {
  const sent = new DataTransfer();
  for (const file of files) if (await isFile(file)) sent.items.add(file);
  own.files = sent.files;
  submit(own.form);
}

async function send(files) {
  const own = document.querySelector("input[type=file][data-drop]");
  if (own) return sendTo(own, files);
  const isOne = files.length === 1 && (await isFile(files[0]));
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: document.body.dataset.openUrl, enctype: "multipart/form-data" });
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  input(form, "csrfmiddlewaretoken", "hidden").value = token;
  if (isOne) {
    const isCut = files[0].size > MAX_BYTES;
    const sent = new DataTransfer();
    sent.items.add(isCut ? new File([files[0].slice(0, 1000)], "large") : files[0]);
    input(form, "document", "file").files = sent.files;
    if (isCut) input(form, "cut", "hidden").value = "1";
  } else {
    input(form, "several", "hidden").value = "1";
  }
  if (!(await isServerAlive())) {
    sayUnsent(document.body.dataset.notSent);
    return;
  }
  document.body.append(form);
  form.submit();
}

addEventListener("files", ({ detail }) => send(detail));
