// Start page: the points of this day's sheet, if it is finished on this device.
import { dayHere } from "./day_here.js";
import { storedTotal } from "./storage.js";

// Also after Back, when the browser shows the page as it was.
addEventListener("pageshow", () => {
  const total = storedTotal(dayHere());
  const played = document.getElementById("day-played");
  if (total !== undefined) played.querySelector("b").textContent = String(total).replace("-", "−");
  played.hidden = total === undefined;
});
