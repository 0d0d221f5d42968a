// Entry point of a table's log. The stream marks its reader as present.
import "./live.js";
import "./countdown.js";
