// All that the page of a scored sheet does.
import "./acts.js";
import "./taps.js";
import "./paint.js";
import "./circle_dialog.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
