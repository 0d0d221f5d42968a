"""What is said about the names that the rules of Dice² have for something."""
