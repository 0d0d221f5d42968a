"""How does a level become printed sheets?

- `items`: what a page is made of: stamps (drawings), figures (paths), words. `type` measures words.
- `inks`: the colours of paper, from the artwork's palettes.
- `grid`, `heading`, `scores`, `legend`, `codes`: the blocks of a sheet, as items.
- `sheet`: a whole sheet, from `sheets.geometry`'s frame, as parts in reading order.
- `dice2`: the board of Dice², score strips and a relay table.
- `short_rules`: the poster with the rules; `rule_positions` plays its examples, `rule_pictures`
  draws them.
- `booklet`: the pages of a print, blank or filled; `filled` reads what is marked on a sheet.
- `pdf` and `svg` write pages. Both draw the same items, so that a preview is the page itself.
"""
