"""Drawings of everything on a sheet.

Each symbol and mark is drawn once, as vector data, and every output format reads the same data:

- `shapes`: a `Drawing` is a tuple of `Shape`s in a box of 100 × 100, which is one field. A shape
  consists of SVG path data, a fill role, a stroke role and a stroke width. Its stroke is painted
  *before* its fill, so that overlapping contours get one common outline; caps and joins are round.
- `palette`: the colour of a role, on screen (light, dark) and on paper (colour, black-and-white).
- `gems`, `coloured_symbols`, `plain_symbols`, `marks`: the drawings; `drawings.drawing(id)` finds
  one by its id.
- `field_contents`: the content of one field, as placed drawings and texts. From below: the symbol,
  the mark of a felt pen, the number with a halo.
- `layout`: the positions on a whole sheet, in units of one field; `decorations`: its arrows,
  borders, badges, links and walls.
- `board`: the board and the dice of Dice²; `board_svg` shows them on pages.
- `glyphs`: the numbers, as outlines of the font in ``fonts/``; `text_shaping`: text in all scripts.
- `svg` draws sheets and symbols on web pages; `sheets.art.render` draws them on paper and in
  pictures.

To add a symbol, draw it in `plain_symbols` or `coloured_symbols`, in the colours of a group of
`palette`. If the group is new, ``python -m sheets.art`` writes the style sheet again. Tests check
the rest.
"""
