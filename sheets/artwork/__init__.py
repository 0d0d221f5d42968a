"""How does everything on a sheet look?

Each symbol and mark is drawn once, as vector data, and every renderer reads the same data:

- `shapes`: a `Drawing` is a tuple of `Shape`s in a box of 100 × 100, which is one field. A shape is
  SVG path data, a fill role, a stroke role and a stroke width. A shape's stroke is painted *before*
  its fill, so that overlapping contours get one common outline; caps and joins are round.
- `palette`: what colour a role has, on screen (light, dark) and on paper (colour, black-and-white).
- `gems`, `coloured`, `things`, `marks`: the drawings; `drawings.drawing(id)` finds one by its id.
- `compose`: what one field shows and where, as placed drawings and texts.
- `layout`: where everything lies on a whole sheet, in units of one field.
- `svg` (pages) and `png` (the picture to share) render this. A ReportLab renderer does the same:
  make one form per drawing id by running `shapes.replay(shape.path, pen)` with
  ``fontTools.pens.reportLabPen.ReportLabPen`` (y pointing down: scale by -1 first), colours from
  ``palette.PRINT`` or ``palette.PRINT_BW``; draw the stroke, then the fill; then walk
  ``layout.lay_out(level)`` and ``compose.compose(field, …)``, placing a form per `Placed` and real
  text in the ExtraBold font of ``fonts/`` per `Text`.
"""
