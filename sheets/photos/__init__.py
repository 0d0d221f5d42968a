"""Photos of paper sheets: reading, review by the user, and use in scorings, tables and levels."""
