// What every page does.
import "./file_drop.js";
import "./keep_place.js";
