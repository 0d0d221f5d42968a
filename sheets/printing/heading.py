"""What stands at the top of a sheet? The level, the player's name, and the round tracker."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from sheets.geometry import LARGE_TEXT_MM, LEAST_TEXT_MM, Frame
from sheets.people.names import clean_name
from sheets.render.fonts import CAPITAL_HEIGHT, cut, face, fit, is_legible
from sheets.render.items import HAIRLINE_MM, Item, Part, Room, Words, disc, line, panel
from sheets.rules.level import Level
from sheets.texts.players import player_name
from sheets.texts.symbols import in_language

DIFFICULTIES = 5

MAX_TITLE_MM, MAX_PLAYER_MM = 6.3, 5.4
"""Font sizes at which the level's name and the player's, one below the other, do not touch."""

UNDER_TITLE_MM = 5.6
"""From the top of both down to where a name is written."""

LARGE_STEP_MM, LARGE_BOX = 7.6, 0.86
"""From box to box of a large tracker, and what of that is the box: 6.5 mm, to be hit by all."""

NUMBER_IN_BOX = 0.66
"""The size of a number in such a box, in the box's side."""

MOST_TRACKER = 0.3
"""A tracker that would take more of the column than this share is one for whoever plays."""

COUNTED_BY = 5
"""So many boxes stand in a line of such a tracker."""

SET_APART = (2, 3, 4, 5)
"""Numbers of players whose boxes begin a line of their own."""


def draw_title(level: Level, frame: Frame) -> Iterator[Item]:
    """The level's name and difficulty."""
    box, scale = frame.title, frame.text_scale
    name = in_language(level.name)
    if not is_legible(name):
        name = level.id
    dots_mm = DIFFICULTIES * 2.5 * scale + 1.5 if level.difficulty else 0.0
    size = fit(name, min(5.6 * scale, MAX_TITLE_MM), box.width - dots_mm, bold=True)
    yield Words(cut(name, size, box.width - dots_mm, bold=True), box.x, box.y + 4.6, size, True)
    if level.difficulty:
        yield from _difficulty(level.difficulty, box.x + box.width, box.y + 3.0, scale)


def _difficulty(difficulty: int, right: float, y: float, scale: float) -> Iterator[Item]:
    radius, step = 0.85 * scale, 2.5 * scale
    for i in range(DIFFICULTIES):
        middle = (right - radius - (DIFFICULTIES - 1 - i) * step, y)
        full = i < difficulty
        yield disc(middle, radius, fill="text" if full else "", stroke="text")


def draw_name_line(frame: Frame, player: str, number: int) -> Iterator[Item]:
    """A line for the player's name, or the name itself.

    Where no font has the letters of a name the line stays empty, to be written on; before it the
    ``number`` of the sheet, counted from 1, says whose it is.
    """
    box, scale = frame.title, frame.text_scale
    size, base = 2.5 * scale, box.y + box.height - 1.4
    is_legible_name = not player or is_legible(player)
    label = _("Name") if is_legible_name else player_name("", number)
    yield Words(label, box.x, base, size)
    start = box.x + face(False).width(label) * size + 1.2 * scale
    right = box.x + box.width
    under = base + 0.9
    room = Room(
        ("name",), (start, box.y + UNDER_TITLE_MM, right - start, under - box.y - UNDER_TITLE_MM)
    )
    yield line((start, under), (right, under))._replace(room=room)
    if player and is_legible_name:
        width = right - start - 1.0
        written = fit(player, min(4.0 * scale, MAX_PLAYER_MM), width, bold=True)
        text = cut(player, written, width, bold=True)
        yield Words(text, start + 0.8, base - 0.2, written, True, "pen")


def draw_tracker(level: Level, frame: Frame) -> tuple[list[Item], float]:
    """Boxes to tick, one per round for each number of players, and where they end.

    On a large sheet there is one set of larger boxes with numbers in them, whoever plays.
    Very many rounds have one set of boxes for whoever plays, counted by fives: the table below
    the sheet says how many of them are used.
    """
    if frame.is_large:
        return _large_tracker(level, frame)
    items, low = _trackers(level, frame)
    if low - frame.column.y > MOST_TRACKER * frame.column.height:
        items, low = _tracker_for_all(level, frame)
    return items, low


def _tracker_for_all(level: Level, frame: Frame) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    size = 2.6 * scale
    items: list[Item] = [_tracker_title(frame)]
    most = max(level.rounds[players] for players in level.player_counts)
    number_mm = face(True).width(str(most)) * size + 0.8 * scale
    step = min(3.75 * scale, (column.width - number_mm) / COUNTED_BY)
    top, box_mm = column.y + 4.3 * scale, 0.8 * step
    step_down = max(step, 1.15 * size)
    for i in range(most):
        left, y = column.x + i % COUNTED_BY * step, top + i // COUNTED_BY * step_down
        items.append(_round_box(left, y, box_mm, scale))
        if (i + 1) % COUNTED_BY == 0 or i + 1 == most:
            base = y + box_mm / 2 + 0.355 * size
            items.append(Words(str(i + 1), left + step + 0.4 * scale, base, size, True))
    return items, y + box_mm


def _large_tracker(level: Level, frame: Frame) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    most = max(level.rounds[players] for players in level.player_counts)
    top = column.y + 4.3 * scale
    step = LARGE_STEP_MM
    while True:
        side = LARGE_BOX * step
        per_line = int((column.width - side) / step + 1e-6) + 1
        low = top + (-(-most // per_line) - 1) * step + side
        if low - column.y <= MOST_TRACKER * column.height:
            break
        step *= 0.97
    items: list[Item] = [_tracker_title(frame)]
    for i in range(most):
        left, y = column.x + i % per_line * step, top + i // per_line * step
        items.append(_round_box(left, y, side, scale))
        size = fit(str(i + 1), NUMBER_IN_BOX * side, 0.85 * side)
        base = y + side / 2 + CAPITAL_HEIGHT / 2 * size
        items.append(Words(str(i + 1), left + side / 2, base, size, anchor="middle"))
    return items, low


def _tracker_title(frame: Frame) -> Words:
    column, scale = frame.column, frame.text_scale
    return Words(_("Rounds"), column.x, column.y + 2.5 * scale, 2.9 * scale, True)


def _round_box(left: float, top: float, side_mm: float, scale: float) -> Item:
    box = (left, top, side_mm, side_mm)
    return panel(box, 0.55 * scale, fill="paper", stroke="line", width=HAIRLINE_MM)


def _trackers(level: Level, frame: Frame) -> tuple[list[Item], float]:
    column, scale = frame.column, frame.text_scale
    size, step, label_mm = 2.6 * scale, 3.75 * scale, 5.2 * scale
    box_mm, right = step - 0.2 * step, column.x + column.width
    items: list[Item] = [_tracker_title(frame)]
    most = int((column.width - label_mm + step - box_mm) // step)
    x, y, low = column.x, column.y + 4.3 * scale, column.y
    for players in level.player_counts:
        rounds = level.rounds[players]
        columns = rounds if rounds <= most else min(most, -(-rounds // -(-rounds // most)))
        fits = x + label_mm + columns * step - step + box_mm <= right + 0.01
        if players in SET_APART or not fits:
            x, y = column.x, low + step - box_mm
        items += _players(players, x, y + box_mm / 2, size)
        for i in range(rounds):
            left, top = x + label_mm + i % columns * step, y + i // columns * step
            items.append(_round_box(left, top, box_mm, scale))
            low = max(low, top + box_mm)
        x += label_mm + columns * step + 1.2 * scale
    return items, low


def _players(count: int, x: float, y: float, size: float) -> Iterator[Item]:
    """A person and how many there are."""
    yield disc((x + 0.62 * size, y - 0.36 * size), 0.19 * size, fill="text")
    half, low = 0.36 * size, y + 0.42 * size
    middle = x + 0.62 * size
    yield panel((middle - half, y - 0.08 * size, 2 * half, low - y + 0.08 * size), 0.3 * size,
                fill="text")  # fmt: skip
    yield Words(str(count), x + 1.1 * size, y + 0.35 * size, size, True)


def draw_table(level: Level, frame: Frame) -> Iterator[Part]:
    """Dice and rounds for each number of players, as a table with a column for each."""
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
        yield Part("TH", (Words(label, box.x, base, size),), within=within)
        for j, value in enumerate(values):
            x = box.x + label_mm + step * (j + 0.5)
            words = Words(str(value), x, base, size, is_head, "text", "middle")
            yield Part("TH" if is_head else "TD", (words,), within=within)


def draw_footer(level: Level, frame: Frame, address: str) -> Iterator[Item]:
    """Where there is more of this sheet, which one it is, and whose work, where that is known."""
    box = frame.footer
    address = f"{address} · {level.id}"
    author = clean_name(level.author)
    if author not in address and is_legible(author):
        address += " · " + _("by %(author)s") % {"author": author}
    size = LARGE_TEXT_MM if frame.is_large else LEAST_TEXT_MM
    base = box.y + 2.3 + (size - LEAST_TEXT_MM) * CAPITAL_HEIGHT
    yield Words(cut(address, size, box.width), box.x, base, size)
