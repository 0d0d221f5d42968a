// Entry point of a scored sheet's page.
import "./acts.js";
import "./taps.js";
import "./paint.js";
import "./circle_dialog.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
