"""Dice² outside its rules: its files, what a table shows of it, boards scored afterwards."""
