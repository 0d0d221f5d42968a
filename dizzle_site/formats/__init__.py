"""Date formats of the languages for which this site differs from Django."""
