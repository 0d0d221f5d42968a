"""Balance reports on levels: statistics of bots' games, charts and advice; jobs make them."""
