"""How is the course of a game drawn: everybody's chance to win, or a single player's points?

A line for each player, in a colour and with a mark of its own, over the passes; what can be off is
told by the table behind it, of a single line by a band around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sheets.artwork.layout import number
from sheets.artwork.shapes import number_text
from sheets.simulation.balance.drawing import WIDTH, line, plot, text
from sheets.simulation.balance.plots import percent, ticks

COLOURS: Final = ("blue", "red", "green", "purple", "orange", "black")
"""Of the players, by seat; each has another mark, too."""

MARKS: Final = (
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "m-4.5 -4.5h9v9h-9z",
    "m0 -6l6 6l-6 6l-6 -6z",
    "m0 -5.5l5.8 10h-11.6z",
    "m0 5.5l5.8 -10h-11.6z",
    "m-6 -2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
)

TALL: Final = 200
LEFT: Final = 44
RIGHT: Final = 14
TOP: Final = 12
FOOT: Final = 40


class Line(NamedTuple):
    """One player's line: ``means`` at each moment, and by how much they may be off."""

    player: int
    means: Sequence[float]
    within: Sequence[float]


def course_plot(title: str, foot: str, lines: Sequence[Line], *, is_share: bool) -> str:
    """Lines over the passes of a game.

    Args:
        title: what the picture is called.
        foot: what stands below the numbers of the passes.
        lines: of as many moments each: the beginning of each pass, then the end.
        is_share: whether chances are drawn, from 0 to 1, or points.
    """
    scale = _Scale(lines, is_share=is_share)
    parts = list(_frame(scale, foot))
    if len(lines) == 1:
        parts.append(_band(scale, lines[0]))
    for one in lines:
        through = "L".join(
            f"{number_text(x)} {number_text(y)}" for x, y in scale.corners(one.means)
        )
        parts.append(
            f'<g class="g-{COLOURS[one.player]}"><path class="plot-line s-line" d="M{through}" '
            f'stroke-width="2.5"/></g>'
        )
    for one in lines:
        parts += [mark(one.player, x, y) for x, y in scale.corners(one.means)]
    return plot(title, TOP + TALL + FOOT, parts)


def mark(player: int, x: float, y: float) -> str:
    """A player's mark around a point."""
    return (
        f'<g class="g-{COLOURS[player]}"><path class="f-line s-ground" stroke-width="1.5" '
        f'd="M{number_text(x)} {number_text(y)}{MARKS[player]}"/></g>'
    )


class _Scale:
    """Where moments and values lie."""

    def __init__(self, lines: Sequence[Line], *, is_share: bool) -> None:
        self.is_share = is_share
        self.moments = len(lines[0].means)
        edges = [m + side * w for one in lines for m, w in zip(one.means, one.within, strict=True)
                 for side in (-1, 1)]  # fmt: skip
        self.low, self.high = (0.0, 1.0) if is_share else (min(edges), max(edges))

    def x(self, moment: int) -> float:
        return LEFT + moment / max(1, self.moments - 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return TOP + TALL * (1 - (value - self.low) / ((self.high - self.low) or 1))

    def corners(self, values: Sequence[float]) -> list[tuple[float, float]]:
        return [(self.x(moment), self.y(value)) for moment, value in enumerate(values)]


def _frame(scale: _Scale, foot: str) -> Iterator[str]:
    values = (0, 0.25, 0.5, 0.75, 1) if scale.is_share else ticks(scale.low, scale.high)
    for value in values:
        y = scale.y(value)
        yield line(LEFT, y, WIDTH - RIGHT, y, "s-field-line", 1)
        words = percent(value) if scale.is_share else number(int(value))
        yield text(LEFT - 8, y + 4.5, words, anchor="end")
    passes = scale.moments - 1
    step = next(step for step in (1, 2, 3, 5, 10, 25, 100) if passes / step <= 12)
    for moment in range(step - 1, passes, step):
        middle = (scale.x(moment) + scale.x(moment + 1)) / 2
        yield text(middle, TOP + TALL + 20, str(moment + 1), anchor="middle")
    yield text((LEFT + WIDTH - RIGHT) / 2, TOP + TALL + 37, foot, anchor="middle")


def _band(scale: _Scale, one: Line) -> str:
    above, below = (
        scale.corners([m + side * w for m, w in zip(one.means, one.within, strict=True)])
        for side in (1, -1)
    )
    through = "L".join(f"{number_text(x)} {number_text(y)}" for x, y in (*above, *below[::-1]))
    return f'<g class="g-{COLOURS[one.player]}"><path class="f-tint" d="M{through}z"/></g>'
