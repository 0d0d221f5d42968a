"""Names of people: cleaning, and numbering of names that look alike."""
