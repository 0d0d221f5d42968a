"""Legend of a printed sheet: the symbols of its level with points and a few words."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from sheets.art.drawings import symbol_id
from sheets.art.layout import format_amount
from sheets.art.render.fonts import face, truncate
from sheets.art.render.items import Item, Part, TextLine, stamp
from sheets.printing.geometry import LARGE_TEXT_MM, Frame
from sheets.rules.level import Level
from sheets.rules.scoring import TRACK_POINTS
from sheets.rules.symbols import (
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    symbol_key,
)
from sheets.text.labels import with_label
from sheets.text.symbols import (
    CATEGORY_NAMES,
    COLOURED_SYMBOL_NAMES,
    SYMBOL_NAMES,
    has_arrows,
    in_language,
    symbol_name,
)

PricedDrawings = tuple[tuple[str, str], ...]
"""Drawings in a legend, each as its id and the text with the points next to it."""

_EFFECTS: Final = {"volcano": gettext_lazy("spreads lava")}
"""Legend words by symbol, for symbols that pay nothing and do not act on another symbol."""


class Sizes(NamedTuple):
    """Sizes in a legend, in millimetres.

    Attributes:
        icon: side of a drawing.
        text: font size of words.
        points: font size of points.
        pair_gap: gap to the right of a drawing with its points.
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
"""Scale to which the legend is reduced before long labels are truncated."""

MIN_SHARE: Final = 0.4
"""Scale to which the legend is reduced at most, after labels have been truncated."""

SHARE_STEP: Final = 0.04
"""Step in the search for the scale of the legend."""

MAX_LABELS_IN_LINE: Final = 4
"""Maximum number of entries that must fit in one line when labels are truncated."""


class LegendEntry(NamedTuple):
    """Entry of a legend: drawings with their points, and words about them.

    Attributes:
        drawings: drawings before the words.
        words: the meaning of the drawings; begins with ``label``.
        objects: drawings after the words, such as the lock that a key opens.
        label: the name that the author of the level gave the symbol, of any length; may be empty.
    """

    drawings: PricedDrawings
    words: str
    objects: PricedDrawings = ()
    label: str = ""


def legend_entries(level: Level) -> Iterator[LegendEntry]:
    """Yield the entries of a legend, for exactly the symbols and rules that a level has."""
    for symbol in COLOURED_PAYING_EACH:
        yield from _coloured(level, symbol, _("each"))
    for symbol in COLOURED_PAYING_ALL:
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
        track = "·".join(map(format_amount, level.flag_tracks[colour]))
        entry = LegendEntry(((symbol_id("flag", colour), track),), "")
        yield _replace_words(level, symbol_key("flag", colour), entry)
    if level.repeat_last and level.number_tracks:
        yield LegendEntry((), _("last number: for everyone after that, too"))
    yield from _locks(level)
    yield from _uncoloured(level)
    yield from _rails(level)


def _locks(level: Level) -> Iterator[LegendEntry]:
    """Yield an entry for each key with a label, and one for all other keys with their locks."""
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
    """Yield the entries of symbols without a colour, except stops."""
    present = level.by_symbol

    def entry(symbol: str, text: str, words: str, objects: PricedDrawings = ()) -> LegendEntry:
        return _prefix_label(level, symbol, LegendEntry(((symbol, text),), words, objects))

    if present["bomb"]:
        yield entry("bomb", format_amount(level.points["bomb"]), _("when exploded"))
    for symbol in PLAIN_PAYING_EACH:
        if present[symbol]:
            yield entry(symbol, format_amount(level.points[symbol]), _("each"))
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
        stop = ("stop", format_amount(level.points["stop"]))
        yield _prefix_label(level, "stop", LegendEntry((stop,), _("on a loop")))


def _routes() -> Iterator[LegendEntry]:
    for kind, drawing, words in (
        ("route", "track-EW-print", _("on an open route")),
        ("loop", "track-ES-print", _("on a loop")),
        ("longest", "track-ES-print", _("on the longest loop")),
    ):
        yield LegendEntry(((drawing, format_amount(TRACK_POINTS[kind])),), words)


def _coloured(level: Level, symbol: str, words: str) -> Iterator[LegendEntry]:
    """Yield one entry for all colours of a symbol, or one each if any of them has a label."""
    points = level.points_by_colour[symbol]
    colours = sorted(level.by_colour[symbol], key=lambda colour: (points[colour], colour))
    pairs = tuple((symbol_id(symbol, colour), format_amount(points[colour])) for colour in colours)
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
    return entry._replace(words=with_label(label, entry.words), label=label)


def drawing_name(level: Level, drawing: str) -> str:
    """Return a name for screen readers, such as "purple gem"; empty if the words explain it."""
    if drawing in SYMBOL_NAMES:
        return symbol_name(level, drawing)
    symbol, _dash, colour = drawing.partition("-")
    if symbol == "track":
        return str(CATEGORY_NAMES["tracks"])
    return symbol_name(level, symbol, colour) if symbol in COLOURED_SYMBOL_NAMES else ""


def draw_legend(level: Level, frame: Frame) -> Iterator[Part]:
    """Yield the legend as a list, with as many entries in a line as fit. Truncate long labels."""
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
    """Yield (scale, entries per line) to try in turn until the legend fits its box.

    Labels are truncated so that this many entries fit in a line. First the scale decreases to
    `LABEL_SHARE`, then labels are truncated, then the scale decreases to `MIN_SHARE`.
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
    """Return the entry with its label truncated so that it fits the room."""
    over = _width(entry, sizes) - room
    if over <= 0 or not entry.label:
        return entry
    label_room = face(False).width(entry.label) * sizes.text - over
    label = truncate(entry.label, sizes.text, label_room)
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


def _pairs_width(drawings: PricedDrawings, sizes: Sizes) -> float:
    """Return the width of drawings with their points, with a gap to the right of each."""
    return sum(
        sizes.icon
        + sizes.pair_gap
        + (sizes.points_gap + face(True).width(text) * sizes.points if text else 0)
        for _drawing, text in drawings
    )


def _draw(
    level: Level, entry: LegendEntry, x: float, y: float, sizes: Sizes
) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield the PDF tag and the items of each part of an entry.

    The drawings are the label of a list item; words and ``objects`` are its body.
    """
    if entry.drawings:
        yield "Lbl", tuple(_draw_pairs(level, entry.drawings, x, y, sizes))
    x += _pairs_width(entry.drawings, sizes)
    body: list[Item] = []
    if entry.words:
        body.append(TextLine(entry.words, x, y + 0.355 * sizes.text, sizes.text))
    x += face(False).width(entry.words) * sizes.text + sizes.pair_gap
    body += _draw_pairs(level, entry.objects, x, y, sizes)
    if body:
        yield "LBody", tuple(body)


def _draw_pairs(
    level: Level, drawings: PricedDrawings, x: float, y: float, sizes: Sizes
) -> Iterator[Item]:
    for drawing, text in drawings:
        yield stamp(drawing, x, y - sizes.icon / 2, sizes.icon, drawing_name(level, drawing))
        x += sizes.icon
        if text:
            base = y + 0.355 * sizes.points
            yield TextLine(text, x + sizes.points_gap, base, sizes.points, True)
            x += sizes.points_gap + face(True).width(text) * sizes.points
        x += sizes.pair_gap
