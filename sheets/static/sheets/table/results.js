// Entry point of a table's results page.
import "./live.js";
import "./lit_fields.js";
import "./comparison_links.js";
import "./countdown.js";
import "./proposal_result.js";
import "../lib/single_history_entry.js";
import "../pages/share.js";
import "../pages/share_picture.js";
