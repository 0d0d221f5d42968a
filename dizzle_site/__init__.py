"""The site: settings, servers, commands, and what all of its pages have in common."""
