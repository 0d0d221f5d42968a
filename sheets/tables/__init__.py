"""Games at a table: seats, moves, their log, and what each phone and the big screen see of them."""
