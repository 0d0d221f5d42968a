"""What does somebody who does not see the page of a table hear, and each of it once?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.tables.lately import ROLLS
from sheets.tables.log import TOGETHER
from sheets.tables.seat_view import SeatView
from sheets.texts.log import entry_sentence

FIELDS_NAMED: Final = 6
"""Maximum number of fields that a sentence names; it only counts further ones."""

KEPT: Final = 12
"""So many entries of the log are told again and again, for phones that have missed some."""


def heard(view: SeatView) -> list[tuple[str, str]]:
    """Sentences in the order in which they are said, each with what tells it from the others.

    A phone says those that were not among the ones before; the same sentence with another key is
    another one, so that a number thrown twice in a row is heard twice.
    """
    state = view.state
    moment = state.moment if state.game.phase in TOGETHER else state.length
    said = {f"pass {view.game.pass_number}": view.rounds_sentence, **dict(_acts(view))}
    if view.what and view.game.pool and view.acts and view.acts[-1].do not in ("roll", "reroll"):
        said[f"pool {moment}"] = f"{_('Pool:')} {', '.join(map(str, view.game.pool))}."
    if view.advice and view.advice.action:
        said[f"advice {view.advice.number} {view.advice.action.at}"] = view.advice.sentence
    if not view.awaits_bot:  # what a bot has thought of is told soon enough
        said[f"{moment} {view.says}"] = view.says
        said[f"fields {moment}"] = _fields(view)
    return [(key, sentence) for key, sentence in said.items() if sentence]


def _fields(view: SeatView) -> str:
    """How many fields take a die, or can be chosen, and where; empty if the seat is not asked."""
    if not view.is_asked or not view.taps or not view.taps.fields:
        return ""
    fields = sorted(view.taps.fields, key=view.level.index.__getitem__)
    names = ", ".join(fields[:FIELDS_NAMED])
    if (more := len(fields) - FIELDS_NAMED) > 0:
        names = _("%(fields)s and %(count)d more") % {"fields": names, "count": more}
    facts = {"count": len(fields), "fields": names}
    if view.taps.owes:
        return (
            ngettext(
                "%(count)d field can be chosen: %(fields)s.",
                "%(count)d fields can be chosen: %(fields)s.",
                len(fields),
            )
            % facts
        )
    return (
        ngettext(
            "%(count)d field takes a die: %(fields)s.",
            "%(count)d fields take a die: %(fields)s.",
            len(fields),
        )
        % facts
    )


def _acts(view: SeatView) -> Iterator[tuple[str, str]]:
    """What the others have done and taken back, and all dice that were rolled."""
    entries = view.loaded.entries
    acts = {act.number: act for act in view.acts}
    began = max(view.state.pass_began_after, len(entries) - KEPT)
    for number, entry in enumerate(entries[began:], start=began + 1):
        act = acts.get(number)
        is_undo = view.game.is_tracked and entry["do"] == "undo" and entry["player"] != view.seat
        if is_undo:
            yield str(number), entry_sentence(entry, entries, view.level, view.names)
        elif act and (act.player != view.seat or act.do in (*ROLLS, "reroll")):
            yield str(number), act.sentence
        if act and act.stuck:
            yield f"stuck {number}", act.stuck
