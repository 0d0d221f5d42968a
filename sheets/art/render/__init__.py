"""Display lists, and the output formats that draw them.

- `items`: what a page or picture consists of: stamps (drawings), paths and lines of text.
- `fonts`: widths and outlines of text.
- `pdf` (with `pdf_tags`), `svg` and `raster` draw the same items, so that a preview looks exactly
  like the printed page; `png` encodes what `raster` draws.
- `inline_svg` draws items inside a page, in the colours of its theme.
"""
