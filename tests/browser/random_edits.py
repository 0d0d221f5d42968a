"""Random edits of a workshop draft, of every kind that a page can send."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, Final, get_args

from sheets.rules.level import SHAPES, format_field
from sheets.rules.symbols import COLOURS, SYMBOL_BY_TOKEN
from sheets.text.languages import languages
from sheets.workshop.acts import AnyEdit
from sheets.workshop.draft import Draft

Facts = dict[str, Any]

EDIT_KINDS: Final = frozenset(edit.__struct_config__.tag for edit in get_args(AnyEdit))
"""Kind of every edit, as acts name it."""

MAX_LENGTH: Final = 9
"""Maximum number of rows or columns; larger sheets only take longer."""


@cache
def _stamps() -> list[str]:
    """Return every symbol as it is written, and none; uncoloured ones as often as all colours."""
    coloured = [written for written, (_symbol, colour) in SYMBOL_BY_TOKEN.items() if colour]
    alone = [written for written in SYMBOL_BY_TOKEN if written not in coloured]
    return [*coloured, *alone * len(COLOURS), ""]


def random_edit(random: Random, document: Mapping[str, Any]) -> Facts:
    """Return an act for a draft in its current state; drafts refuse some of them."""
    draft = Draft(document)
    often = ["chain", "area", "row-line", "pair", "track" if draft.is_rails else "shift"]
    kind = random.choice([*EDITS, *often * 3, *["squares"] * 10])
    return {"do": kind} | EDITS[kind](random, draft)


def _squares(random: Random, draft: Draft) -> Facts:
    return {
        "put": {_place(random, draft): _random_square(random) for _ in range(random.randint(1, 3))}
    }


def _random_square(random: Random) -> Facts:
    number, symbol = {"number": random.choice("123456-???.")}, {"symbol": random.choice(_stamps())}
    volcano, printed = {"symbol": "V"}, {"printed": _toss(random)}
    return random.choice([number, symbol, symbol, number | symbol, volcano, printed])


def _grid(random: Random, _draft: Draft) -> Facts:
    rows, columns = random.randint(2, 5), random.randint(2, 6)
    tokens = ["1", "2", "3x", "4Gy", "5", "-P", "?", "."]
    return {"rows": [" ".join(random.choices(tokens, k=columns)) for _ in range(rows)]}


def _size(random: Random, draft: Draft) -> Facts:
    rows, columns = (length + random.randint(-1, 2) for length in (draft.rows, draft.columns))
    return {"rows": max(1, min(rows, MAX_LENGTH)), "columns": max(1, min(columns, MAX_LENGTH))}


def _edge(random: Random, draft: Draft) -> Facts:
    name = _place(random, draft)
    return random.choice([{"row": int(name[1:])}, {"column": name[0]}])


def _entry(part: str, new: Callable[[Random], Facts]) -> Callable[[Random, Draft], Facts]:
    """Return an edit that adds, replaces or removes an entry of a list."""

    def edit(random: Random, draft: Draft) -> Facts:
        there = [entry for entry in draft.parts.get(part, ()) if "fields" in entry]
        was = random.choice([None, *there])
        now = {"fields": _fields(random, draft, random.randint(1, 5))} | new(random)
        return {"was": was, "now": random.choice([now, now, None])}

    return edit


def _pays(random: Random) -> Facts:
    """Return points, or the falling numbers of a race."""
    race = sorted(random.sample(range(-20, 99), random.randint(1, 6)), reverse=True)
    return random.choice([{"points": random.randint(-99, 99)}, {"race": race}])


def _pair(random: Random, draft: Draft) -> Facts:
    there = [*draft.parts.get("links", ()), *draft.parts.get("walls", ())]
    new = _fields(random, draft, 2)
    fields = random.choice(there) if there and _toss(random) else new
    return {
        "kind": random.choice(["links", "walls"]),
        "fields": fields if len(fields) == 2 else ["a1", "b1"],
        "on": random.random() < 0.8,
    }


def _track(random: Random, draft: Draft) -> Facts:
    """Return a track on any field except a volcano, where the tool puts none."""
    names = [name for name, square in draft.places() if square.symbol != "V"] or ["a1"]
    return {"at": names[_small_index(random, len(names))], "shape": random.choice([*SHAPES, ""])}


def _points(random: Random, _draft: Draft) -> Facts:
    of = random.choice(["gem", "puzzle", "flag", "bomb", "heap", "stop"])
    points: Any = [8, random.randint(0, 7)] if of == "flag" else random.randint(-9, 0)
    colour = random.choice(["red", "yellow"]) if of in ("gem", "puzzle", "flag") else ""
    return {"of": of, "colour": colour, "points": random.choice([points, None])}


def _count(random: Random, _draft: Draft) -> Facts:
    count = random.choice([None, random.randint(1, 30)])
    return {
        "of": random.choice(["dice", "rounds"]),
        "players": random.choice("123"),
        "count": count,
    }


def _ratings(random: Random, _draft: Draft) -> Facts:
    return {"totals": random.choice([None, sorted(random.sample(range(99), 6))])}


def _text(random: Random, _draft: Draft) -> Facts:
    of = random.choice(["name", "about", "author", "gem yellow", "bomb"])
    language = "" if of == "author" else random.choice(list(languages()))
    return {"of": of, "language": language, "text": random.choice(["", "Süße Beeren", "Fir"])}


def _place(random: Random, draft: Draft) -> str:
    tracks = sorted(draft.parts.get("tracks", ()))
    if tracks and _toss(random):
        return random.choice(tracks)
    return format_field(_small_index(random, draft.columns), _small_index(random, draft.rows))


def _small_index(random: Random, count: int) -> int:
    """Return a number below the count, often a small one, so that edits overlap."""
    return min(random.randrange(count) for _ in range(4))


def _fields(random: Random, draft: Draft, count: int) -> list[str]:
    """Return some fields of the sheet in any order."""
    names = sorted(draft.names) or ["a1"]
    return random.sample(names, min(count, len(names)))


def _toss(random: Random) -> bool:
    return random.random() < 0.5


EDITS: Final[Mapping[str, Callable[[Random, Draft], Facts]]] = {
    "squares": _squares,
    "grid": _grid,
    "size": _size,
    "insert": _edge,
    "remove": _edge,
    "arrange": lambda random, draft: {
        **_edge(random, draft),
        "how": random.choice(["copy", "mirror", "up", "down"]),
    },
    "shift": lambda random, draft: {
        "row": random.randint(1, draft.rows),
        "quarters": random.randint(-3, 3),
    },
    "row-line": lambda random, draft: {
        **_edge(random, draft),
        "points": random.choice([None, random.randint(-99, 99)]),
    },
    "chain": _entry("lines", lambda random: {"points": random.randint(-99, 99)}),
    "area": _entry("areas", _pays),
    "pair": _pair,
    "track": _track,
    "points": _points,
    "count": _count,
    "ratings": _ratings,
    "text": _text,
    "difficulty": lambda random, _: {"stars": random.randint(0, 5)},
    "level-id": lambda random, _: {"level_id": random.choice(["fir", "own-2"])},
    "repeat-last": lambda random, _: {"on": _toss(random)},
    "marks": lambda random, _: {"marks": random.choice(["tracks", "crosses", "crosses"])},
}
