"""The artwork: how everything on a sheet looks.

Each symbol and mark is drawn once, as vector data, and every output format reads the same data:

- `shapes`: a `Drawing` is a tuple of `Shape`s in a box of 100 × 100, which is one field. A shape
  consists of SVG path data, a fill role, a stroke role and a stroke width. Its stroke is painted
  *before* its fill, so that overlapping contours get one common outline; caps and joins are round.
- `palette`: the colour of a role, on screen (light, dark) and on paper (colour, black-and-white).
- `gems`, `coloured`, `things`, `marks`: the drawings; `drawings.drawing(id)` finds one by its id.
- `compose`: the content of one field, as placed drawings and texts: the symbol, on it the mark of
  a felt pen, on that the number with a halo.
- `layout`: the positions on a whole sheet, in units of one field; `furniture`: its arrows, borders,
  badges, ties and walls.
- `board`: the board and the dice of Dice²; `board_svg` shows them on pages.
- `glyphs`: the numbers, as outlines of the font in ``fonts/``; `letters`: text in all scripts.
- `svg` shows this on pages. `sheets.render` draws it on paper and in pictures.

To add a symbol, draw it in `things` or `coloured`, in the colours of a group of `palette`. If the
group is new, ``python -m sheets.artwork`` writes the style sheet again. Tests check the rest.
"""
