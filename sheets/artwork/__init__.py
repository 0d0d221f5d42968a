"""How does everything on a sheet look?

Each symbol and mark is drawn once, as vector data, and every renderer reads the same data:

- `shapes`: a `Drawing` is a tuple of `Shape`s in a box of 100 × 100, which is one field. A shape is
  SVG path data, a fill role, a stroke role and a stroke width. A shape's stroke is painted *before*
  its fill, so that overlapping contours get one common outline; caps and joins are round.
- `palette`: what colour a role has, on screen (light, dark) and on paper (colour, black-and-white).
- `gems`, `coloured`, `things`, `marks`: the drawings; `drawings.drawing(id)` finds one by its id.
- `compose`: what one field shows and where, as placed drawings and texts: the symbol, over it a
  felt pen's mark, over that the number, which parts itself from the mark by a halo.
- `layout`: where everything lies on a whole sheet, in units of one field; `furniture`: how its
  arrows, borders, badges, ties and walls look.
- `board`: the board and the dice of Dice²; `board_svg` shows them on pages.
- `glyphs`: the numbers, as outlines of the font in ``fonts/``.
- `svg` (pages), `paint` and `png` (the picture to share) render this.

To add a symbol, draw it in `things` or `coloured`, in the colours of a group of `palette`; where
the group is new, ``python -m sheets.artwork`` writes the style sheet anew. The tests say what it
must keep to.

A ReportLab renderer reads the same data: make one form per drawing id by running
``shapes.replay(shape.path, pen)`` with ``fontTools.pens.reportLabPen.ReportLabPen`` (its y points
up: scale by -1 first), colours from ``palette.PRINT`` or ``palette.PRINT_BW``; draw each shape's
stroke, then its fill; then walk ``layout.lay_out(level)``, its `furniture` and
``compose.compose(field, …)``, placing a form per `Placed` and real text in the ExtraBold font per
`Text`.
"""
