"""What could a game have been: what was each choice worth, and what was luck?

From every choice of a player all that could be chosen is played to the end many times by bots
(`sheets.bots.playouts`); what comes of it on average is what a choice is worth.
"""
