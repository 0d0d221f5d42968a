"""Pictures to share: a sheet, the result of a game, a year of a group. Lengths are in pixels."""
