// Input of a finished board: htmx fetches the board after each tap, in order.
import "../lib/htmx.js";
import { isDoubleTap } from "../lib/double_taps.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";

const form = () => document.getElementById("score-form");

// A queued tap counts with the choice at the time of the tap.
const chosen = new WeakMap();
document.addEventListener(
  "click",
  (tap) => {
    const { at } = tap.target.closest?.("[role=grid] button")?.dataset ?? {};
    if (at && isDoubleTap(at)) {
      tap.preventDefault();
      tap.stopPropagation();
      return;
    }
    const now = new FormData(form());
    chosen.set(tap, { die: now.get("die"), ...(now.has("owner") && { owner: now.get("owner") }) });
  },
  true,
);
document.addEventListener("htmx:configRequest", ({ detail }) => {
  Object.assign(detail.parameters, chosen.get(detail.triggeringEvent));
});
document.addEventListener("htmx:afterSwap", () => document.dispatchEvent(new Event("scored")));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-6]$/.test(event.key)) return;
  const key = form().querySelector(`[name=die][value="${event.key}"]`);
  if (key) key.checked = true;
});
