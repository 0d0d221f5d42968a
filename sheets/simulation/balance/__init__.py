"""How a level plays: figures from games of bots, plots and advice, made by a worker process."""
