// Photos of filled sheets are sent, and what was read on each is shown below.
import { show } from "./review.js";
import { begin, fail } from "./sending.js";

const says = document.getElementById("take").dataset;

begin({
  says,
  prepare: (form) => form.set("first", String(nextIndex())),
  took(line, part) {
    const refused = part.querySelector(".refused");
    if (refused && !part.querySelector(".seen-sheet")) fail(line, refused.querySelector(".why"), false);
    else line.remove();
    show(part);
  },
});

function nextIndex() {
  const numbers = [...document.querySelectorAll(".seen-sheet")].map((sheet) => Number(sheet.dataset.index));
  return Math.max(0, ...numbers) + 1;
}
