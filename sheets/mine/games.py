"""Which games does a device have, and what is said of each?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.access.devices import all_of, forget, hidden_tables
from sheets.access.keys import Access, digest, find_all
from sheets.models import Scoring, Tally
from sheets.scoring.score_view import score
from sheets.scoring.standing import Standing
from sheets.scoring.tallied import Tallied
from sheets.tables.running import game_at, seats_of
from sheets.texts.players import join_names
from sheets.texts.symbols import in_language

MOST_REMEMBERED: Final = 512
"""So many results need not be worked out anew by one process."""


class Entry(NamedTuple):
    """A game of a device, not looked at yet; ``key`` of a table is the code in its address."""

    when: datetime
    kind: str
    key: str
    is_paused: bool = False


class Game(NamedTuple):
    """A game with what is said of it; ``is_called``: somebody here is awaited."""

    entry: Entry
    url: str
    title: str
    names: str
    sentence: str
    is_called: bool = False


def entries_of(token: str) -> list[Entry]:
    """All games that a device has and shows: paused ones first, then what was used last."""
    if not token:
        return []
    unwanted = hidden_tables(token)
    tables = [
        Entry(one.when, "table", one.code, one.is_paused)
        for one in seats_of(token)
        if digest(one.code) not in unwanted
    ]
    others = [Entry(has.opened, has.kind, has.key) for has in all_of(token, "score", "tally")]
    return sorted((*tables, *others), key=lambda one: (one.is_paused, one.when), reverse=True)


def games_of(token: str, entries: Sequence[Entry]) -> list[Game]:
    """What is said of some games of a device, in their order; what is gone is forgotten."""
    found: dict[str, Game] = {}
    for kind, tell in (("score", _scorings), ("tally", _tallies)):
        keys = {entry.key: entry for entry in entries if entry.kind == kind}
        if keys:
            told = {game.entry.key: game for game in tell(keys)}
            gone = [key for key in keys if key not in told]
            if gone:
                forget(token, gone)
            found |= told
    for entry in entries:
        if entry.kind == "table" and (table := game_at(entry.key, token)):
            url = reverse("table", args=[entry.key])
            found[entry.key] = Game(entry, url, *table)
    return [found[entry.key] for entry in entries if entry.key in found]


def _scorings(entries: dict[str, Entry]) -> Iterator[Game]:
    for access in _once(find_all(Scoring.objects.defer("level"), entries)):
        thing = access.thing
        told = _told_scoring(thing.pk, thing.key_digest, thing.revision, get_language() or "")
        url = reverse("score-results", args=[access.key])
        yield Game(entries[access.key], url, *told)


def _tallies(entries: dict[str, Entry]) -> Iterator[Game]:
    for access in _once(find_all(Tally.objects.all(), entries)):
        standing = Tallied(access.thing.typed).standing
        url = reverse("tally-results", args=[access.key])
        yield Game(entries[access.key], url, *_told(_("Tally"), standing))


def _once(found: list[Access[Scoring]] | list[Access[Tally]]) -> Iterator[Access[Any]]:
    """Each thing once, rather by the key that changes it."""
    edited = {access.thing.pk for access in found if access.can_edit}
    return (access for access in found if access.can_edit or access.thing.pk not in edited)


@lru_cache(maxsize=MOST_REMEMBERED)
def _told_scoring(pk: int, key_digest: str, revision: int, language: str) -> tuple[str, str, str]:
    """The same as long as nothing changes; ``language`` is that of the reader."""
    scored = score(Scoring.objects.defer("level").get(pk=pk, key_digest=key_digest))
    return _told(in_language(scored.level.name), scored.standing)


def _told(title: str, standing: Standing) -> tuple[str, str, str]:
    if standing.is_empty or not standing.is_settled:
        sentence = _("Not finished yet")
    else:
        sentence = " · ".join(filter(None, (standing.headline, standing.result)))
    return title, join_names(standing.names), sentence
