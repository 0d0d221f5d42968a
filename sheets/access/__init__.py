"""Who gets where: keys of links, codes of tables and their guessers, what may leave the site."""
