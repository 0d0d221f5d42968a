"""Simulation of thousands of games by bots, in one process or several."""
