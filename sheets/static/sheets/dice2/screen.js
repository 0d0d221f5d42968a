// Entry point of the big screen of a Dice² table.
import "../table/live.js";
import "./move_playback.js";

// Loaded later, because it is not needed at first. Without a network it stays missing.
import(document.getElementById("table").dataset.awake).catch(() => {});
