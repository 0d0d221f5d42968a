"""What a device has: its games, its levels, its groups; and how another device gets them."""
