"""People's names: one cleaner for all, and how those that look alike are told apart."""
