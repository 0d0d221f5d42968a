"""Groups: people who play together, and all that they have played."""
