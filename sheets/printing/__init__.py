"""Printed sheets of levels, as pages of `sheets.art.render.items`.

- `paper_palette`: the colours of paper, from the palettes of the screen.
- `grid`, `heading`, `round_tracker`, `scores`, `legend`, `machine_codes`: the
  blocks of a sheet.
- `sheet`: a whole sheet on the frame of `sheets.printing.geometry`, as parts in reading order.
- `dice2`: the board of Dice², score strips and a relay table.
- `short_rules`: the poster with the rules; `rule_positions` plays its examples, `rule_pictures`
  draws them.
- `booklet`: the pages of a print, blank or filled; `handwriting` has what is written on a
  filled sheet.
"""
