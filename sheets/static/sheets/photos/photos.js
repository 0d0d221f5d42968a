// Entry point of the page for photographing filled sheets.
import "./filled_sheets.js";
import "./take_over.js";
