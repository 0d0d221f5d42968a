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
from sheets.groups import group_file_import, paper_games_import, pasted_table, players, store
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
from sheets.names import confusables
from sheets.rules.level import MAX_PLAYERS
from tests.growth_rate import is_linear

pytestmark = pytest.mark.django_db

LAST = datetime(2026, 1, 17, 20, tzinfo=UTC)


class Case(NamedTuple):
    """A group and the data to import into it."""

    access: Access[Group]
    coming: Any


def document(
    *, games: int = 0, kind: str = "typed", is_one_day: bool = True, people: int = 4, name: str = ""
) -> GroupFile:
    """Return a group file with this number of games, on one day or each on another day."""
    seats = range(min(people, MAX_PLAYERS))
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
    """Return a document and a group with all its games."""
    return Case(store.find(group_file_import.import_group(found)), found)


def same_table(lines: int) -> Case:
    """Return a group and the same number of new lines of its day and level."""
    typed = document(games=lines)
    table = "".join(f"{LAST:%Y-%m-%d}\tMoon\t{n}\t9\n" for n in range(lines))
    return Case(
        store.find(group_file_import.import_group(typed)),
        f"Day\tLevel\tPlayer 0\tPlayer 1\n{table}",
    )


def same_table_with_forgotten_people(lines: int) -> Case:
    case = same_table(lines)
    for number in (1, 2):
        players.delete(case.access, number)
    return case


def rolled_back(act: Callable[[Case], object]) -> Callable[[Case], None]:
    """Return the act with a rollback of what it changed."""

    def acted(case: Case) -> None:
        with transaction.atomic():
            act(case)
            transaction.set_rollback(True)

    return acted


def look(case: Case) -> None:
    group_file_import.preview_import(case.access.resource, case.coming)


def join(case: Case) -> None:
    group_file_import.import_into_group(case.access, case.coming, lambda _count: None)


def enter(case: Case) -> None:
    paper_games_import.find_known_games(
        case.access.resource, pasted_table.read_table(case.coming, case.access.resource).games
    )


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
    assert is_linear(rolled_back(join), new, most)
    assert is_linear(rolled_back(join), lambda size: same_document(make(size)), most)
    assert is_linear(look, lambda size: same_document(make(size)), most)


@pytest.mark.slow
@pytest.mark.parametrize("make", [same_table, same_table_with_forgotten_people])
def test_pasted_tables_are_compared_in_linear_time(
    make: Callable[[int], Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pasted_table, "MAX_LINES", 960)
    assert is_linear(enter, make, 960)


def test_only_heads_of_used_columns_are_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned: list[str] = []
    monkeypatch.setattr(pasted_table, "clean_name", lambda name: cleaned.append(name) or name)
    heads = "Day" + "".join(f";P{n}" for n in range(10_000))
    read = pasted_table.read_table(f"{heads}\n2025-12-26;1;2", Group.objects.create(name="Club"))
    assert len(read.games) == 1
    assert len(cleaned) == 2 + players.MAX_GROUP_PLAYERS


def test_names_in_a_group_are_not_compared_again_for_each_game() -> None:
    found = document(people=players.MAX_GROUP_PLAYERS)
    access = store.find(group_file_import.import_group(found))
    games = [
        paper_games_import.PaperGame(date(2025, 12, 26), "", (("Player 0", n), ("Player 1", 9)))
        for n in range(40)
    ]
    confusables.skeletons.cache_clear()
    paper_games_import.enter(access, games)
    compared = confusables.skeletons.cache_info()
    assert compared.misses < 2 * players.MAX_GROUP_PLAYERS
    assert compared.hits > len(games) * players.MAX_GROUP_PLAYERS
