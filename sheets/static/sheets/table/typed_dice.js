// Dice that somebody throws by hand are typed by six keys: each shows at once as a die.
import { picture } from "../lib/art.js";
import { onState } from "./live.js";

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-die], [data-back]");
  if (!key) return;
  const form = key.closest("form");
  const input = form.elements.dice;
  if (key.dataset.die) input.value += key.dataset.die;
  else input.value = input.value.slice(0, -1);
  showThrown(form);
});
document.addEventListener("input", (event) => {
  const form = event.target.closest(".throw");
  if (form) showThrown(form);
});

function showThrown(form) {
  const input = form.elements.dice;
  const digits = input.value.replace(/[^1-6]/g, "").slice(0, Number(form.dataset.count));
  if (input.value !== digits) input.value = digits;
  form.querySelector(".thrown").replaceChildren(...[...digits].map((digit) => picture(`die-${digit}`)));
  form.classList.toggle("is-full", digits.length === Number(form.dataset.count));
}

function showThrows() {
  for (const form of document.querySelectorAll(".throw")) {
    form.classList.add("scripted");
    showThrown(form);
  }
}

onState(showThrows);
showThrows();
