// A level, game or score file dropped on any page is opened, as the form at /open/ does it, unless the
// page has a field for such files. What sends it comes only then, or with a form for files (send_files.js).
const words = document.body.dataset;
const sender = () => import(words.files);
if (document.querySelector("form[enctype]")) sender();

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

let depth = 0;
function enter(change) {
  depth = Math.max(0, depth + change);
  document.body.classList.toggle("file-over", depth > 0);
}

// Listen to an event of files over the page, but for a place that takes files itself.
function on(name, act) {
  document.addEventListener(name, (event) => {
    const isFile = event.dataTransfer?.types.includes("Files");
    if (isFile && !event.target.closest?.('input[type="file"]')) act(event);
  });
}

on("dragenter", () => enter(1));
on("dragleave", () => enter(-1));
on("dragover", (event) => event.preventDefault());
on("drop", (event) => {
  enter(-depth);
  event.preventDefault();
  const detail = [...event.dataTransfer.files];
  sender().then(() => dispatchEvent(new CustomEvent("files", { detail })), () => sayUnsent(words.notSent));
});
