// Answer to a puzzle: the device notes whether the first one was correct, unless somebody sent a link to the answer.
import { noteAnswer } from "./solved.js";

const { puzzle, isRight } = document.getElementById("answer").dataset;
if (document.referrer.split("?")[0] === location.href.split("?")[0]) noteAnswer(puzzle, Boolean(isRight));
