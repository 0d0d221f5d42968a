"""Games at a table: seats, moves, event log, and the pages for phones and the big screen."""
