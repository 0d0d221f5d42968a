"""How is a pad scored whose layout nobody has entered?

Nothing is stored here: the page sends everything every time and remembers it on the device.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from sheets.legend import number, points
from sheets.rules.level import COLOURS
from sheets.tally import CROSSES, Pad, Result, Row, add_up, rows
from sheets.tally_forms import DEFAULTS, CountForm, PadForm
from sheets.words import CATEGORIES, COLOURED, join_names


@require_http_methods(["GET", "HEAD", "POST"])
def tally(request: HttpRequest) -> HttpResponse:
    """Add up what the players counted on their sheets."""
    sent = request.POST if request.method == "POST" else DEFAULTS
    pad_form = PadForm(sent)
    pad_form.is_valid()
    pad = pad_form.pad()
    players = pad_form.cleaned_data.get("players", DEFAULTS["players"])
    things = rows(pad, solo=players == 1)
    count_forms = [CountForm(sent, prefix=f"p{i}", things=things) for i in range(players)]
    for i, form in enumerate(count_forms):
        form.fields["name"].widget.attrs["placeholder"] = _player(i)
    all_valid = all([pad_form.is_valid(), *(form.is_valid() for form in count_forms)])
    result = add_up(pad, [form.counts() for form in count_forms])
    names = [form.cleaned_data.get("name") or _player(i) for i, form in enumerate(count_forms)]
    context = {
        "pad_form": pad_form,
        "is_new": request.method != "POST",
        "has_faults": not all_valid,
        "players": [
            {
                "form": form,
                "name": names[i],
                "total": number(result.totals[i]),
                "sections": _sections(form, things, solo=players == 1),
                "crosses": form[CROSSES],
            }
            for i, form in enumerate(count_forms)
        ],
        "solo": players == 1,
        "result": result,
        "names": names,
        "table": _table(result),
        "verdict": _verdict(result, names),
        "drawings": _drawings(pad),
    }
    page = "tally/_tally.html" if "X-Fragment" in request.headers else "tally/tally.html"
    return render(request, page, context, status=200 if all_valid else 422)


def _player(index: int) -> str:
    return _("Player %(number)s") % {"number": index + 1}


def _sections(form: CountForm, things: list[Row], *, solo: bool) -> list[dict[str, Any]]:
    """A player's fields by category: steppers for what is counted, boxes for what is done once."""
    sections: dict[str, dict[str, Any]] = {}
    for row in things:
        section = sections.setdefault(
            row.category, {"title": CATEGORIES[row.category], "once": row.once, "entries": []}
        )
        section["entries"].append(
            {
                "field": form[row.name],
                "drawing": _drawing(row),
                "label": _label(row, solo=solo),
                "each": number(row.each),
            }
        )
    return list(sections.values())


def _label(row: Row, *, solo: bool) -> str:
    if row.category in ("gems", "puzzles"):
        return str(COLOURED["gem" if row.category == "gems" else "puzzle"][row.colour])
    if row.once:
        return number(row.each)
    return {
        "heaps": _("crossed heaps"),
        "bombs": _("crossed bombs") if solo else _("exploded bombs"),
        "open_tracks": _("fields on open routes"),
        "loop_tracks": _("fields on loops"),
        "longest_tracks": _("fields on your longest loop"),
        "stops": _("stops on a loop"),
    }[row.name]


def _drawing(row: Row) -> str:
    if row.colour:
        return f"{'gem' if row.category == 'gems' else 'puzzle'}-{row.colour}"
    return {
        "heaps": "heap",
        "bombs": "bomb",
        "open_tracks": "track-EW",
        "loop_tracks": "track-ES",
        "longest_tracks": "track-NE",
        "stops": "stop",
    }.get(row.name, "")


def _drawings(pad: Pad) -> set[str]:
    coloured = {f"{symbol}-{colour}" for symbol in ("gem", "puzzle") for colour in COLOURS.values()}
    plain = {_drawing(row) for row in rows(pad, solo=False)} - {""}
    return coloured | plain | {"heap", "bomb", "stop", "track-EW", "flag-red", "cross-1"}


def _table(result: Result) -> list[dict[str, Any]]:
    """The comparison: one row per category of the pad, one amount per player."""
    return [
        {
            "title": CATEGORIES[category],
            "amounts": [number(amounts[category]) for amounts in result.by],
        }
        for category in result.by[0]
    ]


def _verdict(result: Result, names: list[str]) -> str:
    """Who has won and what settled it, or how well a single player did."""
    total = max(result.totals)
    if result.grade is not None:
        return _("%(points)s: grade %(grade)s of 6.") % {
            "points": points(total),
            "grade": result.grade,
        }
    winners = [names[i] for i in result.winners]
    if not any(result.totals):
        return ""
    facts = {"names": join_names(winners), "points": points(total)}
    if result.tie == "shared":
        return _("%(names)s share the victory with %(points)s and equally many crosses.") % facts
    if result.tie == "crosses":
        return (
            ngettext(
                "%(names)s wins: %(points)s like others, but fewer crosses.",
                "%(names)s win together: %(points)s like others, but fewer crosses.",
                len(winners),
            )
            % facts
        )
    return _("%(names)s wins with %(points)s.") % facts
