"""Changes that `bench/mutants.py` makes: one place each, and only what a test can notice."""

from __future__ import annotations

import ast

import pytest

from bench._mutant_tests import Outcome
from bench._mutations import KINDS, Mutant, find_mutants

SOURCE = '''\
"""Limits of a game with 6 dice."""

if TYPE_CHECKING:
    LIMIT = 1

GRÖẞE: dict[Literal[1], str] = {4: "µ", 5: f"{4:>8}"}


@dataclass(frozen=True)
class Player(Struct, frozen=True):
    points: Annotated[int, Meta(ge=0)] = 7

    def __init__(self) -> None:
        self.name = "Ü"


@cache
def legal(dice: int, *names: str) -> bool:
    """Return whether 0 <= dice."""
    assert dice != 0
    for name, other in zip(names, names, strict=True):
        _log.info("%d dice", 3)
        if "é" and 1 <= len(name) < 8 and other is not None:
            raise ValueError(
                name
            )
        counts[name] = dice
    return name not in names


def count(level: Level) -> int:
    level.add("é")
    level.sum += True
    return level.sum
'''

CHANGES = [
    ("constant", 6, "4", "5"),
    ("constant", 6, "5", "6"),
    ("constant", 11, "7", "8"),
    ("constant", 23, "1", "2"),
    ("comparison", 23, "<=", ">"),
    ("boundary", 23, "<=", "<"),
    ("comparison", 23, "<", ">="),
    ("boundary", 23, "<", "<="),
    ("constant", 23, "8", "9"),
    ("comparison", 23, "is not", "is"),
    ("statement", 24, "raise ValueError(\n                name\n            )", "pass"),
    ("statement", 27, "counts[name] = dice", "pass"),
    ("comparison", 28, "not in", "in"),
    ("statement", 32, 'level.add("é")', "pass"),
    ("statement", 33, "level.sum += True", "pass"),
    ("constant", 33, "True", "False"),
]


@pytest.fixture
def mutants() -> list[Mutant]:
    return find_mutants("sheets/rules/dice.py", SOURCE.encode())


def test_changes_are_those_that_a_test_can_notice(mutants: list[Mutant]) -> None:
    found = [(mutant.kind, mutant.line, mutant.before, mutant.after) for mutant in mutants]
    assert sorted(found) == sorted(CHANGES)
    assert {mutant.kind for mutant in mutants} == set(KINDS)


def test_each_change_is_in_one_place_and_alters_the_program(mutants: list[Mutant]) -> None:
    for mutant in mutants:
        changed = mutant.apply(SOURCE.encode()).decode()
        start = len("".join(SOURCE.splitlines(keepends=True)[: mutant.line - 1]))
        assert changed[:start] == SOURCE[:start]
        assert len(changed) - len(SOURCE) == len(mutant.after) - len(mutant.before)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))


def test_statements_at_import_and_behind_a_cache_run_once(mutants: list[Mutant]) -> None:
    assert {mutant.line for mutant in mutants if not mutant.runs_once} == {32, 33}


def test_statement_of_several_lines_is_known_by_all_of_them(mutants: list[Mutant]) -> None:
    assert {(mutant.first, mutant.last) for mutant in mutants if mutant.line == 24} == {(24, 26)}
    assert {(mutant.first, mutant.last) for mutant in mutants if mutant.line == 23} == {(23, 23)}


def test_mutant_is_found_again_in_another_version(mutants: list[Mutant]) -> None:
    longer = "# first\n\n" + SOURCE
    for mutant in mutants:
        moved = mutant.move(longer.encode())
        assert moved
        assert moved.line == mutant.line + 2
        assert (
            moved.apply(longer.encode()).decode()
            == longer[:9] + mutant.apply(SOURCE.encode()).decode()
        )
    without = SOURCE.replace("level.sum += True", "level.sum += False")
    assert [mutant.move(without.encode()) for mutant in mutants[-2:]] == [None, None]


@pytest.mark.parametrize(
    ("code", "records", "culprit"),
    [
        (0, [("a", "started"), ("a", "passed")], None),
        (5, [], None),
        (1, [("a", "passed"), ("b", "started"), ("b", "failed")], "b"),
        (1, [("a", "started"), ("a", "passed"), ("b", "started")], "b"),  # limit of one test
        (None, [("a", "started")], "a"),
        (4, [], ""),
    ],
    ids=["passed", "none chosen", "failed", "test hangs", "process hangs", "no start"],
)
def test_culprit_is_the_test_that_failed_or_ran_last(
    code: int | None, records: list[tuple[str, str]], culprit: str | None
) -> None:
    assert Outcome(code, [(*record, 0.0, False) for record in records]).culprit == culprit
