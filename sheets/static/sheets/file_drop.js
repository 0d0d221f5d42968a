// A level, game or score file dropped on any page is opened, as the form at /open/ does it, unless the
// page has a field for such files. What sends it comes only then, or with a form for files (send_files.js).
let depth = 0;
const words = document.body.dataset;
const sender = () => import(words.files);
if (document.querySelector("form[enctype]")) sender();

function isForUs(event) {
  const isFile = event.dataTransfer?.types.includes("Files");
  // A place that takes files itself goes first.
  return isFile && !event.target.closest?.('input[type="file"]');
}

function show(isOver) {
  document.body.classList.toggle("file-over", isOver);
}

// Say below a form, or at the top of the page, that something was not sent; "" says no more.
const unsent = document.createElement("p");
export function sayUnsent(sentence, form) {
  unsent.className = "alert no-answer";
  unsent.textContent = sentence;
  unsent.setAttribute("role", "alert");
  if (!sentence) unsent.remove();
  else if (form) form.append(unsent);
  else document.getElementById("main").prepend(unsent);
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
  const detail = [...event.dataTransfer.files];
  sender().then(() => dispatchEvent(new CustomEvent("files", { detail })), () => sayUnsent(words.notSent));
});
