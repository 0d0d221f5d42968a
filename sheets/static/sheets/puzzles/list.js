// List of puzzles: which of them this device has answered, and the next one.
import { firstAnswers } from "./solved.js";

const answers = firstAnswers();
const links = [...document.querySelectorAll("[data-puzzle]")];
const solved = document.getElementById("solved");

for (const link of links) {
  const isRight = answers[link.dataset.puzzle];
  if (isRight === undefined) continue;
  link.classList.add(isRight ? "is-solved" : "is-missed");
  link.querySelector(".for-ears").textContent = isRight ? solved.dataset.right : solved.dataset.wrong;
}

const right = links.filter((link) => link.classList.contains("is-solved")).length;
if (links.some((link) => link.className !== "puzzle-number")) {
  solved.textContent = solved.dataset.words.replace("%(solved)s", right).replace("%(count)s", links.length);
  solved.hidden = false;
}
const next = links.find((link) => answers[link.dataset.puzzle] === undefined);
if (next) {
  const button = document.getElementById("next");
  button.querySelector("a").href = next.href;
  button.hidden = false;
}
