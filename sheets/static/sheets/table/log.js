// All that the log of a table does: whoever reads there is seen to be there.
import "./live.js";
import "./countdown.js";
