"""Announcements for screen readers: what happens at a table, each event once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.tables.event_log import SIMULTANEOUS_PHASES
from sheets.tables.recent_acts import ROLLS
from sheets.tables.seat_view import SeatView
from sheets.text.event_log import entry_sentence

MAX_FIELDS_NAMED: Final = 6
"""Maximum number of fields that a sentence names; it only counts further ones."""

MAX_ENTRIES_ANNOUNCED: Final = 12
"""Number of latest log entries that stay in the announcements, for phones that missed some."""


def announcements(view: SeatView) -> list[tuple[str, str]]:
    """Return keys and sentences in the order in which they are announced.

    A phone announces each sentence whose key was not in the page's previous state. The same
    sentence with another key is announced again, for example a number rolled twice in a row.
    """
    state = view.state
    moment = state.moment if state.game.phase in SIMULTANEOUS_PHASES else state.length
    by_key = {f"pass {view.game.pass_number}": view.rounds_sentence, **dict(_acts(view))}
    if view.what and view.game.pool and view.acts and view.acts[-1].do not in ("roll", "reroll"):
        by_key[f"pool {moment}"] = f"{_('Pool:')} {', '.join(map(str, view.game.pool))}."
    if view.hint and view.hint.action:
        by_key[f"advice {view.hint.number} {view.hint.action.at}"] = view.hint.sentence
    if not view.awaits_bot:  # the move of the bot is announced soon
        by_key[f"{moment} {view.status}"] = view.status
        by_key[f"fields {moment}"] = _fields(view)
    return [(key, sentence) for key, sentence in by_key.items() if sentence]


def _fields(view: SeatView) -> str:
    """Return the sentence that says how many fields, and which, can be tapped.

    Empty if there are none, or if it is not the turn of this device's player.
    """
    if not view.is_asked or not view.taps or not view.taps.fields:
        return ""
    fields = sorted(view.taps.fields, key=view.level.index.__getitem__)
    names = ", ".join(fields[:MAX_FIELDS_NAMED])
    if (more := len(fields) - MAX_FIELDS_NAMED) > 0:
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
    """Yield keys and sentences: other players' acts and undos in this pass, and all rolls."""
    entries = view.loaded.entries
    acts = {act.number: act for act in view.acts}
    began = max(view.state.pass_began_after, len(entries) - MAX_ENTRIES_ANNOUNCED)
    for number, entry in enumerate(entries[began:], start=began + 1):
        act = acts.get(number)
        is_undo = view.game.is_tracked and entry["do"] == "undo" and entry["player"] != view.seat
        if is_undo:
            yield str(number), entry_sentence(entry, entries, view.level, view.names)
        elif act and (act.player != view.seat or act.do in (*ROLLS, "reroll")):
            yield str(number), act.sentence
        if act and act.stuck:
            yield f"stuck {number}", act.stuck
