"""Training of the networks for photo reading: synthetic sheets, pens and photos.

Nothing here runs on a site; it needs the packages of `requirements/dev.txt`.
"""
