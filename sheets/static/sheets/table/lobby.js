// All that the lobby of a table does.
import "./live.js";
import "./countdown.js";
