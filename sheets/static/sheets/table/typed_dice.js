// Input of real dice by six keys: each digit appears at once as a die, in a row with one place per die.
import { picture } from "../lib/art.js";
import { flash, announce } from "../lib/live_region.js";
import { onState } from "./live.js";

const counted = (form) => form.dataset.counter.replace("#", form.elements.dice.value.length);

document.addEventListener("click", (event) => {
  const form = event.target.closest(".throw");
  const key = event.target.closest("button");
  if (!form || !key) return;
  const input = form.elements.dice;
  if (key.dataset.die) input.value += key.dataset.die;
  else if ("back" in key.dataset) input.value = input.value.slice(0, -1);
  else if (key.getAttribute("aria-disabled") === "true") {
    event.preventDefault();
    flash(form.querySelector(".thrown"), "refused", 300);
  } else return;
  showThrown(form);
  announce(key.dataset.die ? `${key.dataset.die}:` : "", counted(form));
});
document.addEventListener("input", (event) => {
  const form = event.target.closest(".throw");
  if (form) showThrown(form);
});

function place() {
  const empty = document.createElement("span");
  empty.className = "place";
  return empty;
}

function showThrown(form) {
  const input = form.elements.dice;
  const count = Number(form.dataset.count);
  const digits = input.value.replace(/[^1-6]/g, "").slice(0, count);
  if (input.value !== digits) input.value = digits;
  const dice = [...digits].map((digit) => picture(`die-${digit}`));
  const places = Array.from({ length: count - dice.length }, place);
  form.querySelector(".thrown").replaceChildren(...dice, ...places);
  form.querySelector(".counter").textContent = counted(form);
  form.querySelector(".primary").setAttribute("aria-disabled", digits.length < count);
}

function showThrows() {
  for (const form of document.querySelectorAll(".throw")) {
    form.classList.add("scripted");
    showThrown(form);
  }
}

onState(showThrows);
showThrows();
