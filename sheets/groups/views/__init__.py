"""Pages of groups."""
