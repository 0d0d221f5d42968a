// All that the page of a scored sheet does.
import "./score.js";
import "./score_taps.js";
import "./score_ask.js";
import "./sheet_grid.js";
import "./sheet_lines.js";
