// The lobby of a table: screen readers announce who sits down and which seats become free, and a name that
// is typed for a seat which another phone takes moves to the next free seat.
import { announce } from "../lib/live_region.js";
import { onState } from "./live.js";
import "./contribution.js";
import "./countdown.js";

const saidOfSeats = () => new Map([...document.querySelectorAll("#_lobby [data-said]")].map((seat) => [seat.id, seat.dataset.said]));
let said = saidOfSeats();

let typed; // the name field of a free seat that was edited last
document.addEventListener("input", ({ target }) => {
  if (target.closest("[data-sit]")) typed = target;
});

function moveTyped() {
  if (!typed || typed.isConnected) return;
  const fields = [...document.querySelectorAll("#_lobby [data-sit] [name=name]")];
  const next = fields.find((field) => field.value === field.defaultValue);
  if (next) {
    next.value = typed.value;
    // The focus was in the field that is gone, unless it is elsewhere by now.
    if (document.activeElement === document.body || document.activeElement.matches(".seat")) next.focus();
  }
  typed = next;
}

onState(() => {
  const now = saidOfSeats();
  announce(...[...now].filter(([seat, sentence]) => said.get(seat) !== sentence).map(([, sentence]) => sentence));
  said = now;
  moveTyped();
});
