"""Groups from before know of bots and typed levels after the migration, and are added up anew."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from sheets.access.keys import Access
from sheets.models import GameBundle, Group, GroupGame, GroupResult, PlayerMonth
from tests.groups import shown
from tests.groups.test_fair_figures import add_game_with_a_bot, group_with, page_of

pytestmark = pytest.mark.django_db

migration = import_module("sheets.migrations.0036_bots_and_typed_levels")


def texts_of(client: Client, access: Access[Group]) -> list[str]:
    """What pages of a group say."""
    pages = ("", "players/1/", "?bots=without", "year/2025/")
    return [
        shown.text(shown.read(page_of(client, access, below)).find(".//main")) for below in pages
    ]


def test_games_from_before_count_as_new_ones_do(client: Client) -> None:
    access = group_with(*[{"Ana": 30, "Ben": 20}] * 5, level="Tante Ernas Block")
    add_game_with_a_bot(access, 6, {"Ana": 10}, bot=60)
    wanted = texts_of(client, access)
    digest = access.thing.games.earliest("number").level_digest
    # As it was: nobody noted bots or typed levels, and sums were made of that.
    GroupGame.objects.filter(kind="typed").update(level_digest="")
    GroupResult.objects.update(has_bots=False)
    GameBundle.objects.update(level_digest="", has_bots=False, sums="{}")
    PlayerMonth.objects.update(sums="{}")
    assert texts_of(client, access) != wanted
    for step in (
        migration.mark_games_with_bots,
        migration.tell_typed_levels_apart,
        migration.add_up_anew,
    ):
        step(apps, None)
    assert access.thing.games.earliest("number").level_digest == digest
    assert texts_of(client, access) == wanted
