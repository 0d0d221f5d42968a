"""The pages of levels of one's own."""
