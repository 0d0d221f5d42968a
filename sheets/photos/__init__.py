"""Photos of paper sheets: reading, review by the user, and transfer to scorings, tables, levels."""
