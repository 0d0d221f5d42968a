// Entry point of the big screen of a Dice² table.
import "../table/live.js";
import "./move_playback.js";

import(document.getElementById("table").dataset.awake); // loaded later: not needed at first
