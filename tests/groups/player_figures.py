"""Figures of a group's players, computed by the code or read from their pages."""

from __future__ import annotations

from django.test import Client

from sheets.access.keys import Access
from sheets.groups.filters import ALL_GAMES, GameFilter
from sheets.groups.player_figures import Figures
from sheets.groups.player_statistics import statistics_of
from sheets.models import Group
from tests.groups import page_parsers
from tests.groups.naive_statistics import Line


def figures_of(group: Group, choice: GameFilter = ALL_GAMES) -> dict[str, Figures]:
    """Return the figures of each player with a game of a choice, by name."""
    found = {}
    for player in group.players.filter(merged_into=None, is_retired=False):
        if figures := statistics_of(group, player, choice).figures:
            found[player.name] = figures
    return found


def lines_of(client: Client, access: Access[Group], query: str = "") -> dict[str, Line]:
    """Read the figures of each player from the pages of players, by name."""
    found = {}
    for player in access.resource.players.filter(merged_into=None, is_retired=False):
        url = f"/groups/{access.share_key}/players/{player.number}/{query}"
        card = page_parsers.card(page_parsers.read(client.get(url).text))
        if card is not None:
            found[player.name] = page_parsers.line(card)
    return found
