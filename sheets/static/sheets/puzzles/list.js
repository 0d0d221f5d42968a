// List of puzzles: which of them this device has answered, and the next one.
import { firstAnswers } from "./solved.js";

const links = [...document.querySelectorAll("[data-puzzle]")];
const solved = document.getElementById("solved");
const next = document.getElementById("next");

function draw() {
  const answers = firstAnswers();
  const answerTo = (link) => answers[link.dataset.puzzle]; // undefined without an answer
  const answered = links.filter((link) => answerTo(link) !== undefined);
  for (const link of answered) {
    const isRight = answerTo(link);
    link.classList.add(isRight ? "is-solved" : "is-missed");
    link.querySelector(".for-ears").textContent = isRight ? solved.dataset.right : solved.dataset.wrong;
  }
  const counts = { solved: links.filter(answerTo).length, count: links.length };
  solved.textContent = solved.dataset.words.replace(/%\((\w+)\)s/g, (_, name) => counts[name]);
  solved.hidden = !answered.length;
  const open = links.find((link) => !answered.includes(link));
  if (open) next.querySelector("a").href = open.href;
  next.hidden = !open;
}

// Also after Back, when the browser shows the page as it was.
addEventListener("pageshow", draw);
