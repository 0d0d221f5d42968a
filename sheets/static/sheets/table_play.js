// All that a Dizzle table does on the phone of somebody who plays.
import "./table_live.js";
import "./sheet_grid.js";
import "./sheet_lines.js";
import "./table_sheet.js";
import "./table_throw.js";
import "./table_sheets.js";
import "./table_tell.js";
import "./table_person.js";
