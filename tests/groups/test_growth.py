"""Linear time of importing files and pasted tables into a group.

`tests.web.test_linear_time` repeats letters in texts. Here valid documents have many items.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction
from msgspec.json import encode

from sheets.access.keys import Access
from sheets.groups import entering, joining, pasted, players, store
from sheets.groups.documents import (
    FORMAT,
    EveningFile,
    GameFile,
    GroupFile,
    PlayerFile,
    ResultFile,
    read_group,
)
from sheets.models import Group
from sheets.people import alike
from sheets.rules.level import MOST_PLAYERS
from tests.growth import is_linear

pytestmark = pytest.mark.django_db

LAST = datetime(2026, 1, 17, 20, tzinfo=UTC)


class Case(NamedTuple):
    """A group, and what comes into it."""

    access: Access[Group]
    coming: Any


def document(
    *, games: int = 0, kind: str = "typed", is_one_day: bool = True, people: int = 4, name: str = ""
) -> GroupFile:
    """A group with so many games of its people, on one day or each on a day of its own."""
    seats = range(min(people, MOST_PLAYERS))
    played = [LAST - timedelta(days=0 if is_one_day else n) for n in range(games)]
    return GroupFile(
        FORMAT,
        "Club",
        [PlayerFile(name or f"Player {n}") for n in range(people)],
        [EveningFile(when.date(), "Attic", "Cake") for when in played],
        [
            GameFile(
                when - timedelta(microseconds=n),
                when.date(),
                kind,  # type: ignore[arg-type]
                [ResultFile(1, seat, points=n) for seat in seats],
                {"en": "Moon"},
                content="" if kind == "typed" else f"{n:064x}",
            )
            for n, when in enumerate(played)
        ],
    )


def same_document(found: GroupFile) -> Case:
    """A document, and a group that has all of it."""
    return Case(store.find(joining.take_in(found)), found)


def same_table(lines: int) -> Case:
    """A group, and as many lines of its day and level as it has games; it has none of them."""
    typed = document(games=lines)
    table = "".join(f"{LAST:%Y-%m-%d}\tMoon\t{n}\t9\n" for n in range(lines))
    return Case(store.find(joining.take_in(typed)), f"Day\tLevel\tPlayer 0\tPlayer 1\n{table}")


def same_table_with_forgotten_people(lines: int) -> Case:
    case = same_table(lines)
    for number in (1, 2):
        players.delete(case.access, number)
    return case


def undone(act: Callable[[Case], object]) -> Callable[[Case], None]:
    """Return the act with a rollback of what it changed."""

    def acted(case: Case) -> None:
        with transaction.atomic():
            act(case)
            transaction.set_rollback(True)

    return acted


def look(case: Case) -> None:
    joining.look_into(case.access.thing, case.coming)


def join(case: Case) -> None:
    joining.join(case.access, case.coming, lambda _count: None)


def enter(case: Case) -> None:
    entering.known_in(case.access.thing, pasted.read_table(case.coming, case.access.thing).games)


DOCUMENTS: Final[dict[str, Callable[[int], GroupFile]]] = {
    "people of one name": lambda n: document(people=n, name="Ana"),
    "people": lambda n: document(people=n, games=1),
    "typed games of one day": lambda n: document(games=n),
    "typed games and evenings": lambda n: document(games=n, is_one_day=False),
    "games and evenings": lambda n: document(games=n, kind="sheets", is_one_day=False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_are_read_and_joined_in_linear_time(name: str) -> None:
    make, most = DOCUMENTS[name], 200 if name.startswith("people") else 800

    def new(size: int) -> Case:
        return Case(store.find(store.create("Family")), make(size))

    assert is_linear(read_group, lambda size: encode(make(size)), most)
    assert is_linear(undone(join), new, most)
    assert is_linear(undone(join), lambda size: same_document(make(size)), most)
    assert is_linear(look, lambda size: same_document(make(size)), most)


@pytest.mark.slow
@pytest.mark.parametrize("make", [same_table, same_table_with_forgotten_people])
def test_pasted_tables_are_compared_in_linear_time(
    make: Callable[[int], Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pasted, "MOST_LINES", 960)
    assert is_linear(enter, make, 960)


def test_only_heads_of_columns_that_are_used_are_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned: list[str] = []
    monkeypatch.setattr(pasted, "clean_name", lambda name: cleaned.append(name) or name)
    heads = "Day" + "".join(f";P{n}" for n in range(10_000))
    read = pasted.read_table(f"{heads}\n2025-12-26;1;2", Group.objects.create(name="Club"))
    assert len(read.games) == 1
    assert len(cleaned) == 2 + players.MOST


def test_names_in_a_group_are_not_compared_again_for_each_game() -> None:
    found = document(people=players.MOST)
    access = store.find(joining.take_in(found))
    games = [
        entering.Entered(date(2025, 12, 26), "", (("Player 0", n), ("Player 1", 9)))
        for n in range(40)
    ]
    alike.looks.cache_clear()
    entering.enter(access, games)
    compared = alike.looks.cache_info()
    assert compared.misses < 2 * players.MOST
    assert compared.hits > len(games) * players.MOST
