// All that the page does on which sheets are photographed.
import "./send.js";
import "./take.js";
