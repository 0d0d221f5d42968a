"""Findings of a balance report, and their sentences."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, parse_level
from sheets.simulation.balance.report import (
    FINDINGS,
    Finding,
    PlannedGames,
    measure,
    plays_alike,
    suggest_ratings,
    top_findings,
    with_ratings,
)
from sheets.simulation.balance.sentences import describe, sentences

LEVEL = find_level("level-3")


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return measure(LEVEL, [PlannedGames(1, 12), PlannedGames(2, 8)], processes=1)


def names(level: Level, document: dict[str, Any]) -> list[str]:
    return [finding.name for finding in top_findings(level, document)]


def changed(report: dict[str, Any], players: int, **parts: Any) -> dict[str, Any]:
    """Return the report with other figures for a number of players."""
    settings = [s | parts if s["players"] == players else s for s in report["settings"]]
    return report | {"settings": settings}


def test_a_report_does_not_depend_on_the_number_of_processes(report: dict[str, Any]) -> None:
    assert measure(LEVEL, [PlannedGames(1, 12), PlannedGames(2, 8)], processes=2) == report


def test_progress_counts_every_game() -> None:
    told: list[int] = []
    measure(LEVEL, [PlannedGames(1, 3), PlannedGames(3, 2)], processes=1, on_progress=told.append)
    assert sum(told) == 5


@pytest.mark.parametrize(
    ("players", "parts", "name"),
    [
        (2, {"wins": [0.9, 0.1], "games": 160}, "seat"),
        (2, {"crossed": 0.2}, "crossed-little"),
        (1, {"crossed": 0.95}, "crossed-much"),
        (1, {"grades": {"median": 0, "best": 1, "shares": [1.0] + [0.0] * 6}}, "grades-low"),
        (1, {"grades": {"median": 6, "best": 6, "shares": [0.0] * 6 + [1.0]}}, "grades-high"),
        (1, {"scores": {"worst": 0, "lower_quartile": 10, "median": 40, "upper_quartile": 70,
                        "best": 90}}, "lottery"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_problems_are_found_and_come_first(
    report: dict[str, Any], players: int, parts: dict[str, Any], name: str
) -> None:
    found = report
    for each in (1, 2):
        found = changed(found, each, pays={"symbols": {}, "lines": {}})
    found = changed(found, players, **parts)
    assert name in names(LEVEL, found)
    assert top_findings(LEVEL, found)[0].weight >= 1


@pytest.mark.parametrize(
    ("share", "name"), [(0.0, "never-pays"), (0.01, "rarely-pays"), (0.99, "always-pays")]
)
def test_goals_that_never_rarely_or_always_pay_are_named(
    report: dict[str, Any], share: float, name: str
) -> None:
    pays = {"lines": {"row 1": share, "row 3": 0.5}}
    found = changed(changed(report, 1, pays=pays), 2, pays=pays)
    finding = next(f for f in top_findings(LEVEL, found) if f.name == name)
    assert finding.facts["key"] == "row 1"
    assert "Row 1" in describe(LEVEL, finding)


def test_few_games_make_no_seat_unfair(report: dict[str, Any]) -> None:
    found = changed(report, 2, wins=[0.65, 0.35], games=8)
    assert "seat" not in names(LEVEL, found)


def test_confidence_in_fairness_depends_on_the_number_of_games(report: dict[str, Any]) -> None:
    found = top_findings(LEVEL, changed(report, 2, wins=[0.9, 0.1], games=40))
    (seat,) = (finding for finding in found if finding.name == "seat")
    assert "chance alone makes up to 15%" in describe(LEVEL, seat)
    few = seat._replace(name="seats-fair")
    assert "more games would tell" in describe(LEVEL, few)
    many = few._replace(facts={**few.facts, "margin": 0.03})
    assert "hardly matters" in describe(LEVEL, many)


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_there_are_three_sentences_about_every_level(level_id: str) -> None:
    level = find_level(level_id)
    said = sentences(level, measure(level, [PlannedGames(1, 10), PlannedGames(2, 10)], processes=1))
    assert len(said) == len(set(said)) == 3


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("name", FINDINGS)
def test_every_finding_has_a_sentence(name: str, language: str) -> None:
    facts = {
        "players": 2, "seat": 1, "share": 0.5, "fair": 0.5, "median": 40, "best": 70, "grade": 2,
        "games": 40, "margin": 0.16, "spread": 30, "least": 54, "most": 74,
        "group": "lines", "key": "row 1", "more": 2,
    }  # fmt: skip
    with translation.override(language):
        sentence = describe(LEVEL, Finding(name, 1, facts))
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
        assert "%(" not in sentence
    if language == "de":
        with translation.override("en"):
            assert describe(LEVEL, Finding(name, 1, facts)) != sentence


def test_suggested_ratings_rise_for_any_scores() -> None:
    for totals in ([5], [0, 0, 0], [-20, 3, 99], list(range(40, 90)), [50] * 30 + [51]):
        found = suggest_ratings(totals)
        assert len(found) == 6
        assert found == sorted(set(found))
        parse_level(LEVEL.document | {"ratings": found})


def test_grades_follow_other_ratings(report: dict[str, Any]) -> None:
    easy = with_ratings(report, (-6, -5, -4, -3, -2, -1))["settings"][0]["grades"]
    assert easy == {"median": 6, "best": 6, "shares": [0, 0, 0, 0, 0, 0, 1]}
    assert with_ratings(report, LEVEL.ratings) == report


def test_words_blanks_and_grades_change_no_game() -> None:
    document = dict(LEVEL.document)
    grid = [" ".join(row.split()) for row in document["grid"]]
    other = document | {"grid": grid, "name": "Other", "ratings": [1, 2, 3, 4, 5, 6], "walls": []}
    assert plays_alike(document, other)
    assert not plays_alike(document, document | {"repeat_last": True})
