"""Access without accounts: keys of links, codes of tables, device secrets, export rules."""
