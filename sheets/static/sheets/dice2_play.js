// All that a table of Dice² does on the phone of somebody who plays.
import "./table_live.js";
import "./sheet_grid.js";
import "./sheet_lines.js";
import "./dice2_table.js";
import "./table_person.js";
