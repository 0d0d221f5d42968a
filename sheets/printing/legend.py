"""Legend of a printed sheet: the symbols of its level with points and a few words."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from sheets.artwork.drawings import symbol_id
from sheets.artwork.layout import number
from sheets.geometry import LARGE_TEXT_MM, Frame
from sheets.render.fonts import cut, face
from sheets.render.items import Item, Part, Words, stamp
from sheets.rules.level import Level
from sheets.rules.scoring import TRACK_POINTS
from sheets.rules.symbols import ALL_OF_COLOUR, EACH, EACH_OF_COLOUR, symbol_key
from sheets.texts.symbols import CATEGORIES, COLOURED, SYMBOLS, has_arrows, in_language, symbol_name

Pairs = tuple[tuple[str, str], ...]
"""Ids of drawings, each with the points next to it."""

_EFFECTS: Final = {"volcano": gettext_lazy("spreads lava")}
"""Effects of symbols that pay nothing and whose entry shows no second symbol."""


class Sizes(NamedTuple):
    """Sizes in millimetres.

    Attributes:
        icon: side of a drawing.
        text: font size of words; ``points`` is that of points.
        pair_gap: gap behind a drawing with its points.
        points_gap: gap between a drawing and its points.
        entry_gap: gap between two entries of a line.
        max_line: maximum height of a line; ``min_line`` is the minimum.
    """

    icon: float
    text: float
    points: float
    pair_gap: float
    points_gap: float
    entry_gap: float
    max_line: float
    min_line: float

    def times(self, scale: float) -> Sizes:
        """Return all sizes multiplied by a factor."""
        return Sizes(*(scale * size for size in self))


PLAIN_SIZES: Final = Sizes(4.4, 2.5, 3.2, 1.3, 0.7, 3.4, 6.4, 5.1)
"""Sizes on A5, the paper on which `Frame.text_scale` is 1."""

LARGE_SIZES: Final = Sizes(5.9, LARGE_TEXT_MM, 4.8, 1.5, 1.0, 4.2, 8.0, 6.4)
"""Sizes of a large print."""

LABEL_SHARE: Final = 0.7
"""Minimum scale of the legend before long labels are cut."""

MIN_SHARE: Final = 0.4
"""Minimum scale of the legend after labels have been cut."""

SHARE_STEP: Final = 0.04
"""Step in the search for the scale of the legend."""

MAX_LABELS_IN_LINE: Final = 4
"""Maximum number of labels that share a line: labels are not cut any shorter than that needs."""


class LegendEntry(NamedTuple):
    """Entry of a legend: drawings with their points, and words about them.

    Attributes:
        drawings: drawings before the words.
        words: the meaning of the drawings; begins with ``label``.
        objects: drawings after the words, such as the lock that a key opens.
        label: the author's name of the symbol, of any length; may be empty.
    """

    drawings: Pairs
    words: str
    objects: Pairs = ()
    label: str = ""


def legend_entries(level: Level) -> Iterator[LegendEntry]:
    """Yield the entries of a legend, for exactly the symbols and rules that a level has."""
    for symbol in EACH_OF_COLOUR:
        yield from _coloured(level, symbol, _("each"))
    for symbol in ALL_OF_COLOUR:
        yield from _coloured(level, symbol, _("for all of a colour"))
    if has_arrows(level):
        yield LegendEntry((("sign-line", ""),), _("full row or column"))
    if any(line.kind == "fields" for line in level.lines):
        yield LegendEntry((("sign-chain", ""),), _("all with the same dashes"))
    if level.areas:
        yield LegendEntry((("sign-area", ""),), _("full area"))
    if level.links:
        yield LegendEntry((("sign-link", ""),), _("neighbours, too"))
    if level.walls:
        yield LegendEntry((("sign-wall", ""),), _("no neighbours"))
    for colour in level.by_colour["flag"]:
        track = "·".join(map(number, level.flag_tracks[colour]))
        entry = LegendEntry(((symbol_id("flag", colour), track),), "")
        yield _replace_words(level, symbol_key("flag", colour), entry)
    if level.repeat_last and level.number_tracks:
        yield LegendEntry((), _("last number: for everyone after that, too"))
    yield from _locks(level)
    yield from _uncoloured(level)
    yield from _rails(level)


def _locks(level: Level) -> Iterator[LegendEntry]:
    """Yield one entry for all colours, and one for each key with a label."""
    opens = pgettext("a key … a lock", "opens")
    locked = [colour for colour in level.by_colour["key"] if colour in level.by_colour["lock"]]
    plain = []
    for colour in locked:
        if symbol_key("key", colour) in level.labels:
            entry = LegendEntry(
                ((symbol_id("key", colour), ""),), opens, ((symbol_id("lock", colour), ""),)
            )
            yield _prefix_label(level, symbol_key("key", colour), entry)
        else:
            plain.append(colour)
    if plain:
        keys = tuple((symbol_id("key", colour), "") for colour in plain)
        locks = tuple((symbol_id("lock", colour), "") for colour in plain)
        yield LegendEntry(keys, opens, locks)


def _uncoloured(level: Level) -> Iterator[LegendEntry]:
    """Yield the symbols that have no colours, apart from stops."""
    present = level.by_symbol

    def entry(symbol: str, text: str, words: str, objects: Pairs = ()) -> LegendEntry:
        return _prefix_label(level, symbol, LegendEntry(((symbol, text),), words, objects))

    if present["bomb"]:
        yield entry("bomb", number(level.points["bomb"]), _("when exploded"))
    for symbol in EACH:
        if present[symbol]:
            yield entry(symbol, number(level.points[symbol]), _("each"))
    crosses = pgettext("a rocket … a planet", "crosses")
    planets = tuple((symbol, "") for symbol in ("planet", "rocket-planet") if present[symbol])
    for symbol in ("rocket", "rocket-planet"):
        if present[symbol]:
            yield entry(symbol, "", crosses, planets or (("planet", ""),))
    for symbol, words in _EFFECTS.items():
        if present[symbol]:
            yield entry(symbol, "", str(words))


def _rails(level: Level) -> Iterator[LegendEntry]:
    if level.rails:
        yield from _routes()
    if level.by_symbol["stop"]:
        stop = ("stop", number(level.points["stop"]))
        yield _prefix_label(level, "stop", LegendEntry((stop,), _("on a loop")))


def _routes() -> Iterator[LegendEntry]:
    for kind, drawing, words in (
        ("route", "track-EW-print", _("on an open route")),
        ("loop", "track-ES-print", _("on a loop")),
        ("longest", "track-ES-print", _("on the longest loop")),
    ):
        yield LegendEntry(((drawing, number(TRACK_POINTS[kind])),), words)


def _coloured(level: Level, symbol: str, words: str) -> Iterator[LegendEntry]:
    """Yield one entry for all colours, or one for each colour if any of them has a label."""
    points = level.points_by_colour[symbol]
    colours = sorted(level.by_colour[symbol], key=lambda colour: (points[colour], colour))
    pairs = tuple((symbol_id(symbol, colour), number(points[colour])) for colour in colours)
    if any(symbol_key(symbol, colour) in level.labels for colour in colours):
        for colour, pair in zip(colours, pairs, strict=True):
            yield _replace_words(level, symbol_key(symbol, colour), LegendEntry((pair,), words))
    elif pairs:
        yield LegendEntry(pairs, words)


def _replace_words(level: Level, key: str, entry: LegendEntry) -> LegendEntry:
    """Return the entry with the symbol's label in place of its words, if there is a label."""
    if key not in level.labels:
        return entry
    label = in_language(level.labels[key])
    return entry._replace(words=label, label=label)


def _prefix_label(level: Level, key: str, entry: LegendEntry) -> LegendEntry:
    """Return the entry with the symbol's label before its words, if there is a label."""
    if key not in level.labels:
        return entry
    label = in_language(level.labels[key])
    return entry._replace(words=f"{label}: {entry.words}", label=label)


def drawing_name(level: Level, drawing: str) -> str:
    """Return the name of a drawing, such as "purple gem"; empty if words explain it."""
    if drawing in SYMBOLS:
        return symbol_name(level, drawing)
    symbol, _dash, colour = drawing.partition("-")
    if symbol == "track":
        return str(CATEGORIES["tracks"])
    return symbol_name(level, symbol, colour) if symbol in COLOURED else ""


def draw_legend(level: Level, frame: Frame) -> Iterator[Part]:
    """Yield the legend as a list, with as many entries in a line as fit; long labels are cut."""
    box = frame.legend
    wanted = LARGE_SIZES if frame.is_large else PLAIN_SIZES.times(frame.text_scale)
    entries = list(legend_entries(level))
    lines, sizes = list[list[LegendEntry]](), wanted
    for share, count in _attempts(entries, box.width, wanted):
        sizes = wanted.times(share)
        room = (box.width + sizes.entry_gap) / count - sizes.entry_gap
        lines = _flow([_cut(entry, room, sizes) for entry in entries], box.width, sizes)
        if len(lines) * sizes.min_line <= box.height:
            break
    step = min(sizes.max_line, box.height / max(len(lines), 1))
    number = 0
    for i, entries_in_line in enumerate(lines):
        x, y = box.x, box.y + step * (i + 0.5)
        for entry in entries_in_line:
            number += 1
            item = (("L", "legend"), ("LI", str(number)))
            for tag, items in _draw(level, entry, x, y, sizes):
                yield Part(tag, items, within=item)
            x += _width(entry, sizes) + sizes.entry_gap


def _attempts(
    entries: list[LegendEntry], room: float, wanted: Sizes
) -> Iterator[tuple[float, int]]:
    """Yield the scale and the number of labels in a line to try in turn until all lines fit.

    First the scale decreases to `LABEL_SHARE`, then labels are cut, then the scale decreases to
    `MIN_SHARE`.
    """
    whole, without = (
        min([1.0, *(room / _width(_cut(entry, width, wanted), wanted) for entry in entries)])
        for width in (inf, 0.0)
    )
    share, count = min(without, max(whole, LABEL_SHARE)), 1
    yield share, count
    has_labels = any(entry.label for entry in entries)
    while share > MIN_SHARE:
        if share < LABEL_SHARE + SHARE_STEP and has_labels and count < MAX_LABELS_IN_LINE:
            count += 1
        else:
            share -= SHARE_STEP
        yield share, count


def _cut(entry: LegendEntry, room: float, sizes: Sizes) -> LegendEntry:
    """Return the entry with its label cut so that it fits the room."""
    over = _width(entry, sizes) - room
    if over <= 0 or not entry.label:
        return entry
    label_room = face(False).width(entry.label) * sizes.text - over
    label = cut(entry.label, sizes.text, label_room)
    return entry._replace(words=label + entry.words.removeprefix(entry.label), label=label)


def _flow(entries: list[LegendEntry], room: float, sizes: Sizes) -> list[list[LegendEntry]]:
    """Return the entries in lines, each in the first line with room for it (first fit)."""
    lines: list[list[LegendEntry]] = []
    filled: list[float] = []
    for entry in entries:
        width = _width(entry, sizes)
        at = next((i for i, used in enumerate(filled) if used + width <= room), len(lines))
        if at == len(lines):
            lines.append([])
            filled.append(0.0)
        lines[at].append(entry)
        filled[at] += width + sizes.entry_gap
    return lines


def _width(entry: LegendEntry, sizes: Sizes) -> float:
    words = face(False).width(entry.words) * sizes.text
    if not entry.objects:
        return _pairs_width(entry.drawings, sizes) + (words or -sizes.pair_gap)
    pairs = _pairs_width(entry.drawings, sizes) + _pairs_width(entry.objects, sizes)
    return pairs + words


def _pairs_width(drawings: Pairs, sizes: Sizes) -> float:
    """Return the width of drawings with their points, and of the gap behind each."""
    return sum(
        sizes.icon
        + sizes.pair_gap
        + (sizes.points_gap + face(True).width(text) * sizes.points if text else 0)
        for _drawing, text in drawings
    )


def _draw(
    level: Level, entry: LegendEntry, x: float, y: float, sizes: Sizes
) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield the drawings of an entry as the label of a list item, and its words as the body."""
    if entry.drawings:
        yield "Lbl", tuple(_draw_pairs(level, entry.drawings, x, y, sizes))
    x += _pairs_width(entry.drawings, sizes)
    body: list[Item] = []
    if entry.words:
        body.append(Words(entry.words, x, y + 0.355 * sizes.text, sizes.text))
    x += face(False).width(entry.words) * sizes.text + sizes.pair_gap
    body += _draw_pairs(level, entry.objects, x, y, sizes)
    if body:
        yield "LBody", tuple(body)


def _draw_pairs(level: Level, drawings: Pairs, x: float, y: float, sizes: Sizes) -> Iterator[Item]:
    for drawing, text in drawings:
        yield stamp(drawing, x, y - sizes.icon / 2, sizes.icon, drawing_name(level, drawing))
        x += sizes.icon
        if text:
            base = y + 0.355 * sizes.points
            yield Words(text, x + sizes.points_gap, base, sizes.points, True)
            x += sizes.points_gap + face(True).width(text) * sizes.points
        x += sizes.pair_gap
