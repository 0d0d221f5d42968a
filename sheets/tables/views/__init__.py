"""The pages of a table, from its lobby to its results."""
