// Files that go the browser's own way: dropped on a page, or in a form (`multipart`). Where the site does not
// answer, the browser would show an error page of its own, and forget what was chosen: so it is asked first.
import { sayUnsent } from "./frame.js";
import { submit } from "./lib/submit.js";

const PATIENCE_MS = 8000;
const most = 1_000_000; // bytes; of a larger file the beginning tells what it is

// A proxy answers for a site that does not.
async function answers() {
  try {
    const signal = AbortSignal.timeout?.(PATIENCE_MS);
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
  isSure = await answers();
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

// No folder, and something that can be read.
async function isFile(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

// A page that takes such files itself has a field for them.
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
    const isCut = files[0].size > most;
    const sent = new DataTransfer();
    sent.items.add(isCut ? new File([files[0].slice(0, 1000)], "large") : files[0]);
    input(form, "document", "file").files = sent.files;
    if (isCut) input(form, "cut", "hidden").value = "1";
  } else {
    input(form, "several", "hidden").value = "1";
  }
  if (!(await answers())) {
    sayUnsent(document.body.dataset.notSent);
    return;
  }
  document.body.append(form);
  form.submit();
}

addEventListener("files", ({ detail }) => send(detail));
