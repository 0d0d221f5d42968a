"""What does a page need to score a level's sheets by itself, without network?

The rules it has from `score_column`; here is what is said about them. Each amount's sentence comes
from where the other pages have it, so that a sheet reads alike with and without network.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from sheets.rules import Item, Level
from sheets.rules.column import Row, score_column
from sheets.rules.level import SHAPES
from sheets.rules.scoring import TRACK_POINTS
from sheets.rules.symbols import BY_CATEGORY
from sheets.scoring.forms import PlayersForm
from sheets.scoring.marks import has_volcano, tap_values
from sheets.scoring.score_view import sign
from sheets.scoring.words import GRADES, item_detail, item_name, number_question
from sheets.texts.players import join_names
from sheets.texts.symbols import category_name

FIXED: Final = ("all", "circled")
"""The ways of paying whose sentence says what is missing."""


def here_context(level: Level, kept: str) -> dict[str, Any]:
    """What ``score/here.html`` is rendered with; ``kept`` tells the level from others there."""
    return {
        "level": level,
        "kit": here_kit(level) | {"kept": kept},
        "form": PlayersForm(),
        "fields": {},
        "player": "",
        "access": {"can_edit": True},
        "all_shapes": SHAPES,
        "shapes": SHAPES,
        "has_lava": has_volcano(level),
        "has_bombs": bool(level.by_symbol["bomb"]),
    }


def here_kit(level: Level) -> dict[str, Any]:
    """What the page's script is to know, as JSON can have it."""
    column = score_column(level)
    categories = dict.fromkeys(row["category"] for row in column["rows"])
    return {
        "level": level.id,
        "column": column | {"rows": [row | _words_of(level, row) for row in column["rows"]]},
        "categories": {
            category: {"name": category_name(level, category), "isSingle": _is_single(category)}
            for category in categories
        },
        "questions": {
            place: number_question(level, track) for place, track in level.number_tracks.items()
        },
        "taps": {
            "solo": tap_values(level, is_solo=True),
            "several": tap_values(level, is_solo=False),
        },
        "grades": [[str(grade.title), str(grade.sentence)] for grade in GRADES],
        "words": _sentences(),
    }


def _is_single(category: str) -> bool:
    symbol = BY_CATEGORY.get(category)
    return symbol is not None and not symbol.is_coloured


def _words_of(level: Level, row: Row) -> dict[str, Any]:
    """What a row is called, its drawing and, by how many fields it waits for, what is said."""
    keys = TRACK_POINTS if row["pays"] == "tracks" else (row["key"],)
    items = {key: Item(row["category"], key, 0, (), (), ()) for key in keys}
    words: dict[str, Any] = {
        "names": {key: item_name(level, item) for key, item in items.items()},
        "sign": sign(next(iter(items.values()))),
    }
    if row["pays"] in FIXED:
        item = items[row["key"]]
        words["details"] = [
            item_detail(level, item._replace(missing=tuple(row["fields"][:count])))
            for count in range(len(row["fields"]) + 1)
        ]
    return words


def _sentences() -> dict[str, str]:
    """With blanks for what the page knows."""
    return {
        "player": _("Player %(number)d"),
        "sheetOf": _("Sheet of %(player)s"),
        "scoreOf": _("Score of %(player)s"),
        "spoilt": _("cannot be completed: %(fields)s"),
        "and": join_names(("", "")),
        "total": _("Total"),
        "crosses": _("Crosses"),
        "owes": _("A circled number is missing"),
        "waits": _("still to come"),
        "winner": _("Winner"),
        "wins": _("%(player)s wins."),
        "winsTie": _("%(player)s wins the tie with fewer crosses."),
        "share": _("Tied on points and crosses: %(players)s share the win."),
        "step": _("step %(grade)s of %(of)s"),
        "next": _("Next:"),
        "results": _("Results"),
    }
