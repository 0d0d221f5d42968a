"""Names of people: cleaning, and numbering of confusable names."""
