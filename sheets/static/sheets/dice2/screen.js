// The big screen of a table with Dice².
import "../table/live.js";
import "./moves.js";

import(document.getElementById("table").dataset.awake); // not needed before the page is there
