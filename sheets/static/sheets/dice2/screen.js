// The big screen of a table with Dice².
import "../table/live.js";
import "./moves.js";
import "../table/keep_awake.js";
