"""Display lists, and the output formats that draw them.

- `items`: what a page or picture consists of: stamps (drawings), figures (paths) and words.
- `fonts`: widths and outlines of text.
- `pdf` (with `pdf_tags`), `svg` and `raster` draw the same items, so that a preview is the page
  itself; `png` encodes what `raster` draws.
"""
