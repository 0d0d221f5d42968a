// All that the results of a table do.
import "./live.js";
import "./lit_fields.js";
import "./amounts.js";
import "./countdown.js";
import "./answered.js";
import "./again.js";
import "../pages/share.js";
import "../pages/share_picture.js";
