"""Numbers of different sheets reachable with some dice, compared with counts worked out by hand.

The counterpart of a chess engine's perft: a wrong neighbour, a wrong jump or a wrong field changes
a count. Each count is derived in the comment above it.
"""

import pytest

from sheets.rules import Sheet, check_placement
from tests.rules.drawing import sheet_of

# A first die goes left or right; every later one extends the group by one at either end, so n dice
# reach the intervals of length n that touch the cross on its left, or on its right: 2 while both
# arms are long enough. The third die of an arm of two is boxed in and jumps to the other arm.
ARMS = "1 1 1x 1 1"
# The only neighbours of the cross are b1, a2, c2, b3; with two dice the second touches the first,
# but all of its neighbours except the cross are holes: boxed in, so it jumps: pairs of 4 = 6.
STAR = ". 1 .\n1 1x 1\n. 1 ."
# A 2x2 block whose corner is crossed: first b1 or a2, then b2 from either, then the last.
BLOCK = "1x 1\n1 1"
# One 1 and one 2 next to the cross, each boxed in at once by holes: a die for each, in any order.
NUMBERS = "1 3x 2"


@pytest.mark.parametrize(
    ("drawing", "dice", "counts"),
    [
        # 1 die: b, d. 2: ab, de. 3: abd, dbe (after the jump). 4: all but the cross.
        (ARMS, (1, 1, 1, 1), [1, 2, 2, 2, 1]),
        (STAR, (1, 1, 1, 1), [1, 4, 6, 4, 1]),
        # 1 die: b1, a2. 2: b1+b2, a2+b2. 3: all three.
        (BLOCK, (1, 1, 1), [1, 2, 2, 1]),
        (NUMBERS, (1, 2), [1, 2, 1]),
        (NUMBERS, (1, 1), [1, 1, 0]),
        # The lock needs its key in an earlier pass: only the key can be placed.
        ("1Lr 2x 3Kr", (1, 3), [1, 1, 0]),
        ("1 1x\n1 1", (1,), [1, 2]),
    ],
    ids=["two arms", "star of jumps", "block", "two numbers", "one number twice", "lock", "grid"],
)
def test_number_of_sheets_within_reach(
    drawing: str, dice: tuple[int, ...], counts: list[int]
) -> None:
    reached = {(0, dice)}
    sheet = sheet_of(drawing)
    for count in counts:
        assert len({fields for fields, _ in reached}) == count
        reached = {
            (fields | 1 << sheet.level.index[at], dice_left[:i] + dice_left[i + 1 :])
            for fields, dice_left in reached
            for i, die in enumerate(dice_left)
            for at in sheet.level.index
            if check_placement(with_dice(sheet, fields), at, die) is None
        }


def test_row_shifted_by_half_a_field_opens_two_fields() -> None:
    sheet = sheet_of("1x . \n1 1", shifts=[0.5, 0])
    assert [at for at in sheet.level.index if check_placement(sheet, at, 1) is None] == ["a2", "b2"]


def with_dice(sheet: Sheet, fields: int) -> Sheet:
    """Return the sheet with dice on a mask of fields."""
    return sheet._replace(dice=fields, near_dice=sheet.level.touching(fields))
