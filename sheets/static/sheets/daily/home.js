// Start page: the points of this day's sheet, if it is finished on this device.
import { dayHere } from "./day_here.js";
import { storedTotal } from "./storage.js";

const total = storedTotal(dayHere());
const played = document.getElementById("day-played");
if (total !== undefined) {
  played.querySelector("b").textContent = String(total).replace("-", "−");
  played.hidden = false;
}
