"""Sheet of the day: one level and one dice sequence for everybody, played in the browser."""
