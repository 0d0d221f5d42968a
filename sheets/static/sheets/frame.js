// What every page does.
import "./time_zone.js";
import "./file_drop.js";
import "./keep_offline.js";
import "./keep_place.js";
import "./page_broken.js";
