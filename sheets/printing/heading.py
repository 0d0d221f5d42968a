"""Title, name line, table of dice and rounds, and address line of a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from sheets.art.render.fonts import CAPITAL_HEIGHT, face, fitted_size, is_legible, truncate
from sheets.art.render.items import HAIRLINE_MM, Item, Part, TextLine, WritingArea, disc, line
from sheets.names.cleaning import clean_name
from sheets.printing.geometry import LARGE_TEXT_MM, MIN_TEXT_MM, Frame
from sheets.rules.level import Level
from sheets.text.player_names import player_name
from sheets.text.symbols import in_language

DIFFICULTIES: Final = 5
"""Number of dots that show a level's difficulty."""

MAX_TITLE_MM: Final = 6.3
"""Maximum font size of the level's name, so that it does not touch the player's name below."""

MAX_PLAYER_MM: Final = 5.4
"""Maximum font size of the player's name."""

UNDER_TITLE_MM: Final = 5.6
"""Distance from the top of the title to the writing area for the player's name."""


def draw_title(level: Level, frame: Frame) -> Iterator[Item]:
    """Yield the level's name and difficulty."""
    box, scale = frame.title, frame.text_scale
    name = in_language(level.name)
    if not is_legible(name):
        name = level.id
    dots_mm = DIFFICULTIES * 2.5 * scale + 1.5 if level.difficulty else 0.0
    size = fitted_size(name, min(5.6 * scale, MAX_TITLE_MM), box.width - dots_mm, bold=True)
    yield TextLine(
        truncate(name, size, box.width - dots_mm, bold=True), box.x, box.y + 4.6, size, True
    )
    if level.difficulty:
        yield from _difficulty(level.difficulty, box.x + box.width, box.y + 3.0, scale)


def _difficulty(difficulty: int, right: float, y: float, scale: float) -> Iterator[Item]:
    radius, step = 0.85 * scale, 2.5 * scale
    for i in range(DIFFICULTIES):
        middle = (right - radius - (DIFFICULTIES - 1 - i) * step, y)
        full = i < difficulty
        yield disc(middle, radius, fill="text" if full else "", stroke="text")


def draw_name_line(frame: Frame, player: str, number: int) -> Iterator[Item]:
    """Yield a line with the player's name, or an empty one to write on.

    The line also stays empty if the fonts lack letters of the name. Its label then has the
    ``number`` of the player, counted from 1.
    """
    box, scale = frame.title, frame.text_scale
    size, base = 2.5 * scale, box.y + box.height - 1.4
    is_legible_name = not player or is_legible(player)
    label = _("Name") if is_legible_name else player_name("", number)
    yield TextLine(label, box.x, base, size)
    start = box.x + face(False).width(label) * size + 1.2 * scale
    right = box.x + box.width
    under = base + 0.9
    area = WritingArea(
        ("name",), (start, box.y + UNDER_TITLE_MM, right - start, under - box.y - UNDER_TITLE_MM)
    )
    yield line((start, under), (right, under))._replace(area=area)
    if player and is_legible_name:
        width = right - start - 1.0
        written = fitted_size(player, min(4.0 * scale, MAX_PLAYER_MM), width, bold=True)
        text = truncate(player, written, width, bold=True)
        yield TextLine(text, start + 0.8, base - 0.2, written, True, "pen")


def draw_table(level: Level, frame: Frame) -> Iterator[Part]:
    """Yield a table of dice and rounds with a column for each number of players."""
    box, scale = frame.table, frame.text_scale
    counts = level.player_counts
    size, row = LARGE_TEXT_MM if frame.is_large else min(2.5 * scale, 2.75), box.height / 3
    labels = (_("Players"), _("Dice"), _("Rounds"))
    label_mm = max(map(face(False).width, labels)) * size + 3.0
    step = min(9.0, (box.width - label_mm) / len(counts))
    bases = [box.y + row * (i + 0.5) + 0.35 * size for i in range(3)]
    width = label_mm + step * len(counts)
    rule = line((box.x, box.y + row), (box.x + width, box.y + row), HAIRLINE_MM)
    yield Part("Artifact", (rule,))
    numbers = (counts, [level.dice[n] for n in counts], [level.rounds[n] for n in counts])
    for i, (label, values, base) in enumerate(zip(labels, numbers, bases, strict=True)):
        is_head = i == 0
        within = (("Table", "dice"), ("TR", "head" if is_head else str(i)))
        yield Part("TH", (TextLine(label, box.x, base, size),), within=within)
        for j, value in enumerate(values):
            x = box.x + label_mm + step * (j + 0.5)
            words = TextLine(str(value), x, base, size, is_head, "text", "middle")
            yield Part("TH" if is_head else "TD", (words,), within=within)


def draw_footer(level: Level, frame: Frame, address: str) -> Iterator[Item]:
    """Yield the address line: the site, the level's id and its author, if known."""
    box = frame.footer
    address = f"{address} · {level.id}"
    author = clean_name(level.author)
    if author not in address and is_legible(author):
        address += " · " + _("by %(author)s") % {"author": author}
    size = LARGE_TEXT_MM if frame.is_large else MIN_TEXT_MM
    base = box.y + 2.3 + (size - MIN_TEXT_MM) * CAPITAL_HEIGHT
    yield TextLine(truncate(address, size, box.width), box.x, base, size)
