"""List of a device's games, with a short description of each."""

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

RESULT_CACHE_SIZE: Final = 512
"""Maximum number of described scorings that a process caches."""


class Entry(NamedTuple):
    """Reference to a game of a device; ``key`` of a table is the code in its address."""

    when: datetime
    kind: str
    key: str
    is_paused: bool = False


class Game(NamedTuple):
    """Game with its description; ``is_called``: a player at this device is to move."""

    entry: Entry
    url: str
    title: str
    names: str
    sentence: str
    is_called: bool = False


def entries_of(token: str) -> list[Entry]:
    """Return a device's games except hidden ones: paused ones first, then the latest used."""
    if not token:
        return []
    hidden = hidden_tables(token)
    tables = [
        Entry(one.when, "table", one.code, one.is_paused)
        for one in seats_of(token)
        if digest(one.code) not in hidden
    ]
    others = [Entry(has.opened, has.kind, has.key) for has in all_of(token, "score", "tally")]
    return sorted((*tables, *others), key=lambda one: (one.is_paused, one.when), reverse=True)


def games_of(token: str, entries: Sequence[Entry]) -> list[Game]:
    """Return the descriptions of some games of a device, in their order; forget deleted games."""
    found: dict[str, Game] = {}
    for kind, describe in (("score", _scorings), ("tally", _tallies)):
        keys = {entry.key: entry for entry in entries if entry.kind == kind}
        if keys:
            described = {game.entry.key: game for game in describe(keys)}
            deleted = [key for key in keys if key not in described]
            if deleted:
                forget(token, deleted)
            found |= described
    for entry in entries:
        if entry.kind == "table" and (table := game_at(entry.key, token)):
            url = reverse("table", args=[entry.key])
            found[entry.key] = Game(entry, url, *table)
    return [found[entry.key] for entry in entries if entry.key in found]


def _scorings(entries: dict[str, Entry]) -> Iterator[Game]:
    for access in _unique(find_all(Scoring.objects.defer("level"), entries)):
        thing = access.thing
        parts = _describe_scoring(thing.pk, thing.key_digest, thing.revision, get_language() or "")
        url = reverse("score-results", args=[access.key])
        yield Game(entries[access.key], url, *parts)


def _tallies(entries: dict[str, Entry]) -> Iterator[Game]:
    for access in _unique(find_all(Tally.objects.all(), entries)):
        standing = Tallied(access.thing.typed).standing
        url = reverse("tally-results", args=[access.key])
        yield Game(entries[access.key], url, *_describe(_("Tally"), standing))


def _unique(found: list[Access[Scoring]] | list[Access[Tally]]) -> Iterator[Access[Any]]:
    """Drop read-only keys of resources whose editing key is there, too."""
    edited = {access.thing.pk for access in found if access.can_edit}
    return (access for access in found if access.can_edit or access.thing.pk not in edited)


@lru_cache(maxsize=RESULT_CACHE_SIZE)
def _describe_scoring(
    pk: int, key_digest: str, revision: int, _language: str
) -> tuple[str, str, str]:
    """Return a scoring's description; revision and language are part of the cache key."""
    scored = score(Scoring.objects.defer("level").get(pk=pk, key_digest=key_digest))
    return _describe(in_language(scored.level.name), scored.standing)


def _describe(title: str, standing: Standing) -> tuple[str, str, str]:
    if standing.is_empty or not standing.is_settled:
        sentence = _("Not finished yet")
    else:
        sentence = " · ".join(filter(None, (standing.headline, standing.result)))
    return title, join_names(standing.names), sentence
