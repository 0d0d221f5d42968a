"""How is a pad scored whose layout nobody has entered?

Nothing is stored here: the page sends everything every time and remembers it on the device.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.artwork.drawings import symbol_id
from sheets.artwork.layout import number
from sheets.http.fragments import render_part
from sheets.people.alike import tell_apart
from sheets.rules.paper import PaperResult
from sheets.rules.symbols import BY_CATEGORY, BY_COLOUR, COLOURS, PLAIN, SYMBOLS
from sheets.scoring.tally import CROSSES, Row, add_up, rows
from sheets.scoring.tally_forms import DEFAULTS, CountForm, PadForm
from sheets.scoring.words import grade_of, winner_sentence
from sheets.texts.players import player_name
from sheets.texts.symbols import CATEGORIES, COLOURED

REST = ("tracks", *(SYMBOLS[symbol].category for symbol in PLAIN))
"""The categories without a heading of their own: they stand under one."""


@require_http_methods(["GET", "HEAD", "POST"])
def tally(request: HttpRequest) -> HttpResponse:
    """Add up what the players counted on their sheets."""
    sent = request.POST if request.method == "POST" else DEFAULTS
    pad_form = PadForm(sent)
    is_valid = pad_form.is_valid()
    pad, solo = pad_form.pad(), pad_form.is_solo
    things = rows(pad, solo=solo)
    count_forms = [
        CountForm(sent, prefix=f"p{i}", things=things, placeholder=player_name("", i + 1))
        for i in range(pad_form.player_count)
    ]
    for form in count_forms:
        is_valid &= form.is_valid()
    result = add_up(pad, [form.counts() for form in count_forms], solo=solo)
    names = tell_apart(
        [player_name(form.cleaned_data.get("name", ""), i) for i, form in enumerate(count_forms, 1)]
    )
    uncounted = [i for i, form in enumerate(count_forms) if not any(form.counts().values())]
    context = {
        "pad_form": pad_form,
        "is_new": request.method != "POST",
        "has_faults": not is_valid,
        "drawings": _drawings(),
        "players": [
            {
                "form": form,
                "name": names[i],
                "total": number(result.scores[i].total),
                "sections": _sections(form, things, solo=solo),
                "is_open": i in uncounted[:1] or bool(form.errors),
                "wins": i in result.outcome.winners and len(count_forms) > 1,
            }
            for i, form in enumerate(count_forms)
        ],
        "table": _table(result),
        **_verdict(result, names),
    }
    status = 200 if is_valid else 422
    return render_part(request, "tally/tally.html", "tally/_tally.html", context, status)


def _sections(form: CountForm, things: Iterable[Row], *, solo: bool) -> list[dict[str, Any]]:
    """A player's fields under headings: steppers for what is counted, boxes for what is done."""
    sections: dict[str, dict[str, Any]] = {}
    for row in things:
        own = row.category not in REST
        section = sections.setdefault(
            row.category if own else "",
            {"title": CATEGORIES[row.category] if own else _("The rest"), "entries": []},
        )
        section["once"] = row.once
        section["entries"].append(
            {
                "field": form[row.name],
                "drawing": _drawing(row),
                "label": _label(row, solo=solo),
                "each": number(row.each),
            }
        )
    crosses = {
        "field": form[CROSSES],
        "drawing": "cross-1",
        "label": _("crosses, in case of a tie"),
        "each": "",
    }
    rest = sections.setdefault("", {"title": _("The rest"), "entries": [], "once": False})
    rest["entries"].append(crosses)
    return list(sections.values())


def _label(row: Row, *, solo: bool) -> str:
    if row.colour:
        return str(COLOURED[BY_CATEGORY[row.category].name][row.colour])
    if row.once:
        return number(row.each)
    named = {
        "bombs": _("crossed bombs") if solo else _("exploded bombs"),
        "open_tracks": _("fields on open routes"),
        "loop_tracks": _("fields on loops"),
        "longest_tracks": _("fields on your longest loop"),
        "stops": _("stops on a loop"),
    }
    return named.get(row.name) or str(CATEGORIES[row.category])


_DRAWINGS = {
    "open_tracks": "track-EW",
    "loop_tracks": "track-ES",
    "longest_tracks": "track-NE",
    **{SYMBOLS[symbol].category: symbol for symbol in PLAIN},
}


def _drawing(row: Row) -> str:
    if row.colour:
        return symbol_id(BY_CATEGORY[row.category].name, row.colour)
    return _DRAWINGS.get(row.name, "")


def _drawings() -> set[str]:
    """All that any pad can need, so that an exchanged part never lacks one."""
    coloured = {symbol_id(symbol, colour) for symbol in BY_COLOUR for colour in COLOURS.values()}
    return coloured | set(_DRAWINGS.values()) | {"cross-1"}


def _table(result: PaperResult) -> list[tuple[str, list[str]]]:
    """The comparison: one row per category of the pad, one amount per player."""
    return [
        (str(CATEGORIES[category]), [number(score.by[category]) for score in result.scores])
        for category in result.scores[0].by
    ]


def _verdict(result: PaperResult, names: Sequence[str]) -> dict[str, Any]:
    """Who has won and what settled it, or how well a single player did; empty at first."""
    if grade := grade_of(result.outcome):
        return {"grade": grade}
    if len(names) < 2 or not any(score.total for score in result.scores):
        return {"winner": ""}
    return {"winner": winner_sentence(names, result.outcome)}
