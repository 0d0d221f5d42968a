"""Pages of Dice² beside its tables: opening one, and scoring a board played without."""
