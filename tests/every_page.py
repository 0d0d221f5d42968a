"""Every kind of page there is, for what has to hold on all of them."""

from __future__ import annotations

import os.path
from datetime import date
from typing import NamedTuple

from django.test import Client

from sheets.groups import keeping
from sheets.groups import store as group_store
from sheets.groups.entering import Entered, enter
from sheets.groups.figures import ENOUGH
from sheets.groups.played import level_digest
from sheets.levels import find_level
from sheets.workshop import store
from tests.addresses import plain_pages
from tests.dice2_tables import sit_down_for
from tests.groups.played_games import scored
from tests.score_levels import GARDEN
from tests.table_games import RAILS, Party, sit_down
from tests.tables.table_clients import finished_party

WORKSHOP = (
    *("", "here/", "guide/numbers/", "guide/symbols/", "guide/check/", "guide/done/"),
    *("print/", "links/", "code/", "play/", "balance/", "delete/"),
)
GROUP = (
    *("", "links/", "enter/", "enter/files/", "games/1/delete/", "delete/"),
    *("players/", "players/1/", "players/1/delete/", "?players=2", "players/1/?players=2"),
    "players/?players=2",
    f"levels/{level_digest(find_level('level-1'))}/",
    f"levels/{level_digest(find_level('level-1'))}/?players=2",
)
SCORING = ("", "../", "../players/", "../delete/")
TABLE = ("", "log/", "screen/", "history/", "look/")
OTHERS = (
    *("/levels/level-4/", "/levels/level-8/", "/nothing/", "/print/?copies=9999"),
    "/score/here/level-2/",
    *("/dice2/score/?game=major&players=3", "/print/?level=level-3&paper=a4"),
)


class Place(NamedTuple):
    """An address, and the seat that whoever opens it has at its table."""

    path: str
    token: str = ""


def every_page(client: Client) -> list[Place]:
    """Where every kind of page stands, once what it shows is made."""
    workshop = f"/workshop/{store.create(GARDEN)}/"
    family = group_store.create("Family")
    kept = [
        keeping.keep(group_store.find(family), scored({"Ana": 30 - more, "Ben": 3})[1])
        for more in range(ENOUGH)
    ]
    enter(group_store.find(family), [Entered(date(2020, 1, 1), "Attic", (("Ana", 3), ("Ben", 3)))])
    year = kept[0].evening.year
    scoring = client.post("/score/new/level-7/", {"count": 3}).headers["Location"]
    places = [
        *(Place(path) for path in (*plain_pages(), *OTHERS)),
        *(Place(workshop + below) for below in WORKSHOP),
        *(Place(f"/groups/{family}/{below}") for below in GROUP),
        Place(f"/groups/{family}/games/{ENOUGH + 1}/correct/"),
        Place(f"/groups/{family}/year/{year}/"),
        Place(f"/groups/{family}/players/1/year/{year}/"),
        *(Place(f"{os.path.normpath(scoring + below)}/") for below in SCORING),
    ]
    tables: tuple[Party, ...] = (sit_down(), finished_party("Ana", "Ben"), sit_down_for("major"))
    for party in tables:
        places += [Place(f"/table/{party.code}/{below}", party.tokens[0]) for below in TABLE]
    places.append(Place(f"/table/{tables[0].code}/photos/", tables[0].tokens[0]))
    rolled, rails = sit_down(level="level-1", dice="rolled"), sit_down(("Ana",), RAILS)
    rolled.act("roll", by=0)
    rails.act("place", 0, "b1")
    rails.done(0)
    others = (
        *(sit_down(start=False), rolled, rails),
        *(sit_down(level="level-7", dice="typed"), sit_down_for("square")),
    )
    return [*places, *(Place(f"/table/{party.code}/", party.tokens[0]) for party in others)]
