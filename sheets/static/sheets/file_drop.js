// A level, game or score file dropped on any page is opened, as the form at /open/ does it, unless the
// page has a field for such files.

const most = 1_000_000; // bytes; of a larger file the beginning tells what it is
let depth = 0;

function isForUs(event) {
  const isFile = event.dataTransfer?.types.includes("Files");
  // A place that takes files itself goes first.
  return isFile && !event.target.closest?.('input[type="file"]');
}

function show(isOver) {
  document.body.classList.toggle("file-over", isOver);
}

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
  own.form.requestSubmit();
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
  document.body.append(form);
  form.submit();
}

document.addEventListener("dragenter", (event) => {
  if (!isForUs(event)) return;
  depth += 1;
  show(true);
});
document.addEventListener("dragleave", (event) => {
  if (!isForUs(event)) return;
  depth = Math.max(0, depth - 1);
  if (!depth) show(false);
});
document.addEventListener("dragover", (event) => {
  if (isForUs(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  depth = 0;
  show(false);
  if (!isForUs(event)) return;
  event.preventDefault();
  send([...event.dataTransfer.files]);
});
