// Entry point of a player's page at a Dizzle table.
import "./live.js";
import "../sheet/keyboard.js";
import "../sheet/lit_fields.js";
import "./sheet.js";
import "./typed_dice.js";
import "./switch_sheet.js";
import "./end_of_pass.js";
import "./call_and_hints.js";
import "./countdown.js";
import "./proposal_result.js";
