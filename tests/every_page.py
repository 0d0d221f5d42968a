"""One page of every kind, for tests of all pages."""

from __future__ import annotations

import os.path
from datetime import date
from typing import NamedTuple

from django.test import Client

from sheets.groups import game_store
from sheets.groups import store as group_store
from sheets.groups.game_results import level_digest
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.statistics import MIN_GAMES
from sheets.levels import find_level
from sheets.puzzles.store import find_puzzle, shipped_puzzles
from sheets.tables import acts
from sheets.workshop import store
from tests.addresses import plain_pages
from tests.app_dice import play_rolled
from tests.app_dice import rolled as rolled_in_lobby
from tests.dice2_tables import sit_down_for
from tests.groups.played_games import create_scoring
from tests.score_levels import GARDEN
from tests.table_games import RAILS, Party, sit_down
from tests.tables.table_clients import finished_party

WORKSHOP = (
    *("", "here/", "guide/numbers/", "guide/symbols/", "guide/check/", "guide/done/"),
    *("print/", "links/", "code/", "play/", "balance/", "delete/"),
)
GROUP = (
    *("", "day/", "links/", "enter/", "enter/files/", "games/1/delete/", "delete/"),
    *("players/", "players/1/", "players/1/delete/", "?players=2", "players/1/?players=2"),
    "players/?players=2",
    f"levels/{level_digest(find_level('level-1'))}/",
    f"levels/{level_digest(find_level('level-1'))}/?players=2",
)
SCORING = ("", "../", "../players/", "../delete/")
TABLE = ("", "log/", "screen/", "history/", "look/", "dice/", "seats/", "pause/")
PUZZLE = next(iter(shipped_puzzles()))
OTHERS = (
    *("/levels/level-4/", "/levels/level-8/", "/nothing/", "/print/?copies=9999"),
    *("/score/here/level-2/", "/day/2026-09-24/", "/day/2999-01-01/"),
    *("/rules/?q=bomb", "/rules/?q=xyzzy"),
    *("/tutorial/1/", "/tutorial/1/?at=b1", "/tutorial/1/?at=a2", "/tutorial/4/"),
    *("/tutorial/5/?at=a5", "/tutorial/6/", "/tutorial/6/?points=13"),
    *("/dice2/score/?game=major&players=3", "/print/?level=level-3&paper=a4"),
    *(f"/puzzles/{PUZZLE}/{below}" for below in ("", "?at=a1", "played-out/?at=40")),
    f"/puzzles/{PUZZLE}/?at={find_puzzle(PUZZLE).right.action.at}",
)


class PageAddress(NamedTuple):
    """Path of a page, and the seat secret of the visitor's device if it is a table's page."""

    path: str
    token: str = ""


def every_page(client: Client) -> list[PageAddress]:
    """Create one thing of every kind and return the addresses of all its pages."""
    workshop = f"/workshop/{store.create(GARDEN)}/"
    family = group_store.create("Family")
    kept = [
        game_store.add_game(
            group_store.find(family), create_scoring({"Ana": 30 - more, "Ben": 3})[1]
        )
        for more in range(MIN_GAMES)
    ]
    enter(
        group_store.find(family), [PaperGame(date(2020, 1, 1), "Attic", (("Ana", 3), ("Ben", 3)))]
    )
    year = kept[0].evening.year
    scoring = client.post("/score/new/level-7/", {"count": 3}).headers["Location"]
    pages = [
        *(PageAddress(path) for path in (*plain_pages(), *OTHERS)),
        *(PageAddress(workshop + below) for below in WORKSHOP),
        *(PageAddress(f"/groups/{family}/{below}") for below in GROUP),
        PageAddress(f"/groups/{family}/games/{MIN_GAMES + 1}/correct/"),
        PageAddress(f"/groups/{family}/year/{year}/"),
        PageAddress(f"/groups/{family}/players/1/year/{year}/"),
        *(PageAddress(f"{os.path.normpath(scoring + below)}/") for below in SCORING),
    ]
    tables: tuple[Party, ...] = (sit_down(), finished_party("Ana", "Ben"), sit_down_for("major"))
    for party in tables:
        pages += [PageAddress(f"/table/{party.code}/{below}", party.tokens[0]) for below in TABLE]
    pages.append(PageAddress(f"/table/{tables[0].code}/photos/", tables[0].tokens[0]))
    rolled, rails = sit_down(level="level-1", dice="rolled"), sit_down(("Ana",), RAILS)
    rolled.act("roll", by=0)
    rails.act("place", 0, "b1")
    rails.done(0)
    others = (
        *(sit_down(start=False), rolled, rails),
        *(sit_down(level="level-7", dice="typed"), sit_down_for("square")),
    )
    checked = rolled_in_lobby()
    acts.start(checked.access())
    play_rolled(checked)
    pages += [PageAddress(f"/table/{one.code}/dice/", one.tokens[0]) for one in (rolled, checked)]
    return [*pages, *(PageAddress(f"/table/{party.code}/", party.tokens[0]) for party in others)]
