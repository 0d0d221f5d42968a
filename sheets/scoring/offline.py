"""Context and script data of the page that scores a level's sheets offline.

`score_column` describes how each row pays; this module adds the texts. Each sentence comes from the
same function as on the other pages, so that a sheet reads the same with and without a network.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.rules import Item, Level
from sheets.rules.level import SHAPES
from sheets.rules.score_column import Row, score_column
from sheets.rules.scoring import TRACK_POINTS
from sheets.scoring.forms import PlayersForm
from sheets.scoring.marks import has_volcano, tap_values
from sheets.scoring.score_view import is_single, sign
from sheets.scoring.sentences import GRADES, item_detail, item_name, number_question
from sheets.text.player_names import join_names
from sheets.text.symbols import category_name

DETAILED_PAYS: Final = ("all", "circled")
"""Kinds of payment (``pays`` of a row) for which a sentence depends on the missing fields."""


def offline_context(level: Level, kept: str) -> dict[str, Any]:
    """Return the context of ``score/offline.html``.

    Args:
        kept: key of the level in the browser's storage.
    """
    return {
        "level": level,
        "kit": column_data(level) | _sheet_data(level) | {"kept": kept},
        "form": PlayersForm(),
        "fields": {},
        "player": "",
        "access": {"can_edit": True},
        "all_shapes": SHAPES,
        "shapes": SHAPES,
        "has_lava": has_volcano(level),
        "has_bombs": bool(level.by_symbol["bomb"]),
    }


def column_data(level: Level) -> dict[str, Any]:
    """Return the data of scripts that score sheets of a level, as plain JSON values."""
    column = score_column(level)
    categories = dict.fromkeys(row["category"] for row in column["rows"])
    return {
        "column": column | {"rows": [row | _words_of(level, row) for row in column["rows"]]},
        "categories": {
            category: {"name": category_name(level, category), "isSingle": is_single(category)}
            for category in categories
        },
        "grades": [[str(grade.title), str(grade.sentence)] for grade in GRADES],
        "words": _sentences(),
    }


def _sheet_data(level: Level) -> dict[str, Any]:
    """Return the data of the script for the sheets that users mark, as plain JSON values."""
    return {
        "level": level.id,
        "questions": {
            place: number_question(level, track) for place, track in level.number_tracks.items()
        },
        "taps": {
            "solo": tap_values(level, is_solo=True),
            "several": tap_values(level, is_solo=False),
        },
    }


def _words_of(level: Level, row: Row) -> dict[str, Any]:
    """Return a row's names and drawing, and a sentence for each number of missing fields."""
    keys = TRACK_POINTS if row["pays"] == "tracks" else (row["key"],)
    items = {key: Item(row["category"], key, 0, (), (), ()) for key in keys}
    words: dict[str, Any] = {
        "names": {key: item_name(level, item) for key, item in items.items()},
        "sign": sign(next(iter(items.values()))),
    }
    if row["pays"] in DETAILED_PAYS:
        item = items[row["key"]]
        words["details"] = [
            item_detail(level, item._replace(missing=tuple(row["fields"][:count])))
            for count in range(len(row["fields"]) + 1)
        ]
    return words


def _sentences() -> dict[str, str]:
    """Return the page's sentences by name, with placeholders that the script fills in."""
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
        "point": ngettext("%(count)s point", "%(count)s points", 1),
        "points": ngettext("%(count)s point", "%(count)s points", 2),
        "each": _("%(points)s each."),
        "asMany": _("%(points)s, as many as %(players)s."),
        "lead": _("%(points)s, %(lead)s ahead of %(players)s."),
        "ranking": _("Ranking"),
        "further": _("Further places"),
        "step": _("grade %(grade)s of %(of)s"),
        "next": _("Next:"),
        "results": _("Results"),
    }
