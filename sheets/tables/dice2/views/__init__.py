"""Pages of Dice² other than its tables: the form for a new table, and scoring a real board."""
