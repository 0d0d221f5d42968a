// Entry point of a player's page at a Dice² table.
import "../table/live.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import "./board.js";
import "./move_playback.js";
import "../table/call_and_hints.js";
import "../table/countdown.js";
import "../table/proposal_result.js";
import "../lib/single_history_entry.js";
