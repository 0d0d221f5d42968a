"""How is the reader of photos taught? Sheets filled in and photographed by chance.

Nothing here runs on a site: it needs what `requirements/dev.txt` has.
"""
