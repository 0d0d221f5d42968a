"""Comparison of the figures of a balance report with those of the shipped levels."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from statistics import median
from typing import Any

import pytest
from django.utils import translation

from sheets.charts.figure import Figure
from sheets.charts.numbers import percent
from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, format_level, parse_level
from sheets.simulation.balance.figures import figures
from sheets.simulation.balance.report import PlannedGames, measure, plan_games, top_findings
from sheets.simulation.balance.shipped_figures import (
    OtherLevels,
    find_other_levels,
    shipped_settings,
)
from tests.score_levels import GARDEN

GARDEN_LEVEL = parse_level(GARDEN)
FAMILY = parse_level(GARDEN | {"dice": {"5": 16, "6": 19}, "rounds": {"5": 2, "6": 2}})


def report(level: Level, *players: int) -> dict[str, Any]:
    return measure(level, [PlannedGames(count, 4) for count in players], processes=1)


def found(level: Level, others: OtherLevels, *players: int) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures(level, report(level, *players), others)}


def row(figure: Figure, *heads: str) -> dict[str, str]:
    """Return the cells of the row with this heading, by the headings of their columns."""
    cells = next(cells for cells in figure.rows if tuple(cells[: len(heads)]) == heads)
    return dict(zip(figure.head, cells, strict=True))


@pytest.mark.slow
def test_figures_of_the_shipped_levels_are_those_their_reports_would_give_now() -> None:
    """After a change of bots or rules, run
    ``measure_balance -o sheets/simulation/balance/figures.json``.
    """
    for level_id, players in (("level-8", 1), ("level-5", 6)):
        level = find_level(level_id)
        (setting,) = (setting for setting in plan_games(level) if setting.players == players)
        (now,) = json.loads(json.dumps(measure(level, [setting])["settings"]))
        assert shipped_settings()[level_id][players] == now


def test_shipped_levels_were_played_with_all_their_numbers_of_players() -> None:
    for level_id, level in shipped_levels().items():
        assert tuple(shipped_settings()[level_id]) == level.player_counts


def test_most_similar_level_has_similar_numbers_of_players_and_fields() -> None:
    assert find_other_levels(GARDEN_LEVEL).chosen.id == "level-5"
    bigger = format_level(find_level("level-2")) | {"repeat_last": True}
    assert find_other_levels(parse_level(bigger)).chosen.id == "level-2"
    assert 6 in find_other_levels(FAMILY).chosen.player_counts


def test_no_level_is_compared_with_itself() -> None:
    others = find_other_levels(find_level("level-4"))
    assert set(others.levels) == set(shipped_levels()) - {"level-4"}
    assert others.chosen.id != "level-4"
    renamed = parse_level(format_level(find_level("level-4")) | {"id": "mine", "name": "Mine"})
    assert "level-4" not in find_other_levels(renamed).levels
    with pytest.raises(KeyError):
        find_other_levels(renamed, "level-4")


def test_every_figure_is_compared_with_the_chosen_level_and_with_all() -> None:
    others = find_other_levels(GARDEN_LEVEL, "level-7")
    shown = found(GARDEN_LEVEL, others, 1, 2)
    theirs = shipped_settings()["level-7"]
    name = "Fire mountain"

    crossed = row(shown["crossed"], "2 players")
    every = [settings[2]["crossed"] for settings in shipped_settings().values()]
    assert crossed[name] == percent(theirs[2]["crossed"])
    assert crossed["levels of the app, median"] == percent(median(every))
    assert crossed["from – to"] == f"{percent(min(every))} – {percent(max(every))}"

    assert row(shown["seats"], "2 players: Seat 2")[name] == percent(theirs[2]["wins"][1])
    grades = theirs[1]["grades"]["shares"]
    assert row(shown["grades"], "Well played")[name] == percent(grades[3])
    scores = row(shown["scores"], "2 players", name)
    assert scores["median"] == str(theirs[2]["scores"]["median"])
    for players in (1, 2):
        boxes = shown[f"beside-{players}"]
        assert len(boxes.rows) == 1 + len(shipped_levels())
        assert row(boxes, name)["best"] == str(theirs[players]["scores"]["best"])
        heat = shown[f"heat-{players}-beside"]
        assert row(heat, "11")["a"] == f"{theirs[players]['fields']['a11'] * 100:.0f}"


def test_scoring_categories_are_compared() -> None:
    others = find_other_levels(GARDEN_LEVEL, "level-1")
    pays = found(GARDEN_LEVEL, others, 1)["pays"]
    flags = shipped_settings()["level-1"][1]["pays"]["flags"]
    assert flags == {}
    assert row(pays, "Flags")["Butterfly"] == "–"
    lines = shipped_settings()["level-1"][1]["pays"]["lines"].values()
    assert row(pays, "Arrows")["Butterfly"] == percent(sum(lines) / len(lines))
    assert row(pays, "Row 2")["Butterfly"] == ""


def test_categories_that_cost_points_are_compared_without_a_warning() -> None:
    document = measure(GARDEN_LEVEL, [PlannedGames(1, 6), PlannedGames(2, 6)], processes=1)
    for setting in document["settings"]:
        setting["pays"]["heaps"][""] = setting["pays"]["bombs"][""] = 0
    found = top_findings(GARDEN_LEVEL, document)
    assert not {finding.facts.get("group") for finding in found} & {"heaps", "bombs"}
    for setting, share in zip(document["settings"], (0.5, 0.25), strict=True):
        setting["pays"]["bombs"][""] = share
    others = find_other_levels(GARDEN_LEVEL, "level-2")
    (pays,) = [f for f in figures(GARDEN_LEVEL, document, others) if f.name == "pays"]
    assert [cells[0] for cells in pays.rows if cells[0] in ("Heaps", "Bombs")] == ["Heaps", "Bombs"]
    bombs = row(pays, "Bombs")
    assert (bombs["Alone"], bombs["2 players"], bombs["All"]) == (
        *(percent(0.5), percent(0.25)),
        percent((0.5 + 2 * 0.25) / 3),
    )
    assert bombs["Castle"] != "–"


def test_level_for_six_is_compared_with_those_for_six() -> None:
    others = find_other_levels(FAMILY)
    shown = found(FAMILY, others, *FAMILY.player_counts)
    assert FAMILY.player_counts == (1, 2, 3, 4, 5, 6)
    assert [name for name in shown if name.startswith("heat-")] == [
        f"heat-{players}{beside}" for players in range(1, 7) for beside in ("", "-beside")
    ]
    assert [cells[0] for cells in shown["beside-6"].rows[1:]] == ["By the lake", "Four bridges"]
    assert row(shown["seats"], "6 players: Seat 6")["from – to"] != "–"


def test_level_has_no_figures_for_other_numbers_of_players() -> None:
    shown = found(FAMILY, find_other_levels(FAMILY, "level-1"), 5)
    assert "heat-5-beside" not in shown
    assert row(shown["crossed"], "5 players")["Butterfly"] == "–"
    assert row(shown["crossed"], "5 players")["levels of the app, median"] != "–"
    assert len(shown["scores"].rows) == 1


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_plot_is_an_image_with_a_name_and_a_table(language: str) -> None:
    with translation.override(language):
        shown = figures(FAMILY, report(FAMILY, 1, 5), find_other_levels(FAMILY))
    assert len({figure.name for figure in shown}) == len(shown)
    for figure in shown:
        svg = ET.fromstring(figure.plot)  # noqa: S314  our own drawing
        assert svg.get("role") == "img"
        assert svg.get("aria-label") == figure.title
        assert not [part for part in svg.iter() if part.get("style")]
        assert all(len(cells) == len(figure.head) for cells in figure.rows), figure.name
        assert len(figure.rows) >= 2
