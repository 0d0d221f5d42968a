"""Pages of the sheet of the day."""
