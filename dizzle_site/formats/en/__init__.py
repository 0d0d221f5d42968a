"""English, for readers on both sides of an ocean."""
