// All that a Dizzle table does on the phone of somebody who plays.
import "./live.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import "./sheet.js";
import "./typed_dice.js";
import "./switch_sheet.js";
import "./end_of_pass.js";
import "./call_and_hints.js";
import "./countdown.js";
import "./answered.js";

import(document.getElementById("table").dataset.awake); // not needed before the page is there
