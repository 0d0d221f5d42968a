"""The site: settings, servers, commands, and what all of its pages have in common."""

from .collecting import collect_rarely

collect_rarely()
