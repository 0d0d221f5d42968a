// All that a table of Dice² does on the phone of somebody who plays.
import "../table/live.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import "./board.js";
import "./moves.js";
import "../table/call_and_hints.js";
import "../table/countdown.js";
import "../table/answered.js";
import "../table/again.js";

import(document.getElementById("table").dataset.awake); // not needed before the page is there
