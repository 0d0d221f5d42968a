// List of puzzles: which of them this device has answered, and the next one.
import { firstAnswers } from "./solved.js";

const answers = firstAnswers();
const links = [...document.querySelectorAll("[data-puzzle]")];
const solved = document.getElementById("solved");
const answerTo = (link) => answers[link.dataset.puzzle]; // undefined without an answer

for (const link of links) {
  const isRight = answerTo(link);
  if (isRight === undefined) continue;
  link.classList.add(isRight ? "is-solved" : "is-missed");
  link.querySelector(".for-ears").textContent = isRight ? solved.dataset.right : solved.dataset.wrong;
}

if (links.some((link) => answerTo(link) !== undefined)) {
  const right = links.filter(answerTo).length;
  solved.textContent = solved.dataset.words.replace("%(solved)s", right).replace("%(count)s", links.length);
  solved.hidden = false;
}
const next = links.find((link) => answerTo(link) === undefined);
if (next) {
  const button = document.getElementById("next");
  button.querySelector("a").href = next.href;
  button.hidden = false;
}
