"""What is said about each name that the rules and the documents have for something."""
