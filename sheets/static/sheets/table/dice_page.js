// Page about a table's dice: the check in the browser, and whether the commitment is the one that was shown before.
import { findDifference } from "./dice_check.js";
import { markNames } from "../lib/names.js";
import { note, seenAt } from "./seen_commitments.js";

const { dice: code, commitment } = document.querySelector("[data-dice]").dataset;
const proof = document.getElementById("proof");

if (proof) {
  const difference = findDifference(JSON.parse(proof.textContent));
  const result = document.getElementById("browser-check");
  const sentence = result.dataset[difference?.what ?? "agree"];
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name) => difference[name]);
  result.replaceChildren(...markNames(filled, [difference?.name]));
  result.classList.toggle("alert", Boolean(difference));
  result.classList.toggle("bad", Boolean(difference));
  result.hidden = false;
  const seen = seenAt(code);
  if (seen) document.getElementById(seen === commitment ? "same-commitment" : "other-commitment").hidden = false;
} else {
  note(code, commitment);
}
