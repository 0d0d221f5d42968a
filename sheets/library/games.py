"""List of a device's games, with a short description of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.access.devices import forget, hidden_tables, opened_by
from sheets.access.keys import digest, find_distinct
from sheets.models import Scoring, Tally
from sheets.scoring.ranking import Standing
from sheets.scoring.score_view import score
from sheets.scoring.tally_score import Tallied
from sheets.tables.running_games import game_at, seated_tables
from sheets.text.player_names import join_names
from sheets.text.symbols import in_language

RESULT_CACHE_SIZE: Final = 512
"""Maximum number of described scorings that a process caches."""


class GameReference(NamedTuple):
    """Reference to a game in a device's list; ``when`` it was last used.

    ``kind`` is ``table``, ``score`` or ``tally``. ``key`` is the long code of a table, or the key
    of a scoring or tally.
    """

    when: datetime
    kind: str
    key: str
    is_paused: bool = False


class ListedGame(NamedTuple):
    """Game with its description; ``is_called``: it is the turn of a player at this device."""

    entry: GameReference
    url: str
    title: str
    players: Sequence[str]
    sentence: str
    is_called: bool = False

    @property
    def names(self) -> str:
        """The players' names as an enumeration."""
        return join_names(self.players)


def references_of(token: str) -> list[GameReference]:
    """Return a device's games except hidden ones: paused ones first, then the latest used."""
    if not token:
        return []
    hidden = hidden_tables(token)
    tables = [
        GameReference(one.when, "table", one.code, one.is_paused)
        for one in seated_tables(token)
        if digest(one.code) not in hidden
    ]
    opened = opened_by(token, "score", "tally")
    others = [GameReference(one.opened, one.kind, one.key) for one in opened]
    return sorted((*tables, *others), key=lambda one: (one.is_paused, one.when), reverse=True)


def games_of(token: str, entries: Sequence[GameReference]) -> list[ListedGame]:
    """Return the games of references, in order; remove deleted games from the device's list."""
    found: dict[str, ListedGame] = {}
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
            found[entry.key] = ListedGame(entry, url, *table)
    return [found[entry.key] for entry in entries if entry.key in found]


def _scorings(entries: dict[str, GameReference]) -> Iterator[ListedGame]:
    for access in find_distinct(Scoring.objects.defer("level"), entries):
        scoring = access.resource
        parts = _describe_scoring(
            scoring.pk, scoring.key_digest, scoring.revision, get_language() or ""
        )
        url = reverse("score-results", args=[access.key])
        yield ListedGame(entries[access.key], url, *parts)


def _tallies(entries: dict[str, GameReference]) -> Iterator[ListedGame]:
    for access in find_distinct(Tally.objects.all(), entries):
        standing = Tallied(access.resource.typed).standing
        url = reverse("tally-results", args=[access.key])
        yield ListedGame(entries[access.key], url, *_describe(_("Tally"), standing))


@lru_cache(maxsize=RESULT_CACHE_SIZE)
def _describe_scoring(
    pk: int, key_digest: str, revision: int, _language: str
) -> tuple[str, Sequence[str], str]:
    """Return the title, player names and result sentence of a scoring.

    The revision and the language are only part of the cache key.
    """
    scored = score(Scoring.objects.defer("level").get(pk=pk, key_digest=key_digest))
    return _describe(in_language(scored.level.name), scored.standing)


def _describe(title: str, standing: Standing) -> tuple[str, Sequence[str], str]:
    if standing.is_empty or not standing.is_settled:
        sentence = _("Not finished yet")
    else:
        sentence = " · ".join(filter(None, (standing.headline, standing.result)))
    return title, standing.names, sentence
