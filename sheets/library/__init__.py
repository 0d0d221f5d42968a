"""Page “Mine”: a device's games, levels and groups, and their transfer to another device."""
