// Rules page: opens the chapter of a link's target, and all chapters for printing and searching.
const chapters = [...document.querySelectorAll(".chapter")];
const opener = document.getElementById("open-all");

function openAll() {
  for (const chapter of chapters) chapter.open = true;
}

function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const chapter = target && target.closest(".chapter");
  if (!chapter || chapter.open) return;
  chapter.open = true;
  target.scrollIntoView();
}

opener.hidden = false;
opener.addEventListener("click", openAll);
addEventListener("beforeprint", openAll);
addEventListener("hashchange", openTarget);
openTarget();
