// Rules page: opens the `.chapter` of a link's target, and all chapters for printing and searching in the browser.
const opener = document.getElementById("open-all");
const chapters = () => document.querySelectorAll(".chapter"); // a search replaces them

function openAll() {
  for (const chapter of chapters()) chapter.open = true;
}

function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const chapter = target && target.closest(".chapter");
  if (!chapter || chapter.open) return;
  chapter.open = true;
  target.scrollIntoView();
}

// Found rules are all open.
function showOpener() {
  opener.hidden = !chapters().length;
}

showOpener();
document.addEventListener("htmx:afterSwap", showOpener);
opener.addEventListener("click", openAll);
addEventListener("beforeprint", openAll);
addEventListener("hashchange", openTarget);
openTarget();
