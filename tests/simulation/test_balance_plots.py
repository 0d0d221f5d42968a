"""Plots of a balance report, compared with its figures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from django.utils import translation

from sheets.art.layout import lay_out
from sheets.charts.bars import Bar, Bars, share_bars
from sheets.charts.boxes import BoxRow, boxes
from sheets.charts.heat_map import STEPS, heat_map
from sheets.charts.histograms import Histogram, histograms
from sheets.charts.numbers import percent
from sheets.charts.scales import bin_width, ticks
from sheets.levels import find_level
from sheets.rules import parse_level
from sheets.simulation.balance.figures import heat_figures
from sheets.simulation.balance.shipped_figures import ComparedFigure, find_other_levels
from sheets.simulation.games import simulate
from sheets.simulation.summary import summarise

LEVEL = find_level("level-3")


def texts(plot: str) -> list[str]:
    """Return all texts of a plot except the names of rows and columns."""
    found = ET.fromstring(plot)  # noqa: S314
    names = {id(text) for text in found.iterfind("g[@class='plot-text names']/text")}
    return ["".join(part.itertext()) for part in found.iter("text") if id(part) not in names]


def names(plot: str) -> list[str]:
    """Return the names of columns and rows."""
    found = ET.fromstring(plot)  # noqa: S314
    return [str(part.text) for part in found.iterfind("g[@class='plot-text names']/text")]


def rects(plot: str, paint: str) -> list[ET.Element]:
    found = ET.fromstring(plot).iter("rect")  # noqa: S314
    return [rect for rect in found if rect.get("class") == paint]


def paths(plot: str, paint: str) -> list[ET.Element]:
    found = ET.fromstring(plot).iter("path")  # noqa: S314
    return [path for path in found if path.get("class") == paint]


def test_histogram_has_a_bar_for_each_bin_that_is_not_empty() -> None:
    plot = histograms("Scores", [Histogram("Alone", [10, 10, 11, 14])])
    tall = [float(rect.get("height", 0)) for rect in rects(plot, "f-pen")]
    assert len(tall) == 3
    assert tall[0] == pytest.approx(2 * tall[1], abs=0.2)
    assert "10" in texts(plot)


def test_histogram_of_one_value_and_of_far_apart_ones_can_be_drawn() -> None:
    assert rects(histograms("x", [Histogram("a", [7])]), "f-pen")
    assert len(rects(histograms("x", [Histogram("a", [-300, 2000])]), "f-pen")) == 2
    assert bin_width([-300, 2000]) == 100
    assert ticks(-5, 5) == [-4, -2, 0, 2, 4]


def test_bars_are_as_long_as_their_shares() -> None:
    plot = share_bars("Wins", [Bars("", [Bar("a", 0.8), Bar("b", 0.4), Bar("c", 0.01, True)], 0.5)])
    a, b = (float(rect.get("width", 0)) for rect in rects(plot, "f-pen"))
    assert a == pytest.approx(2 * b, abs=0.2)
    assert len(rects(plot, "plot-odd")) == 1
    assert "1.0% !" in texts(plot)


def test_box_plot_distinguishes_the_level_from_others() -> None:
    plot = boxes("x", [BoxRow("mine", (0, 1, 2, 3, 4), True), BoxRow("A & <b>", (1, 2, 3, 4, 5))])
    assert len(rects(plot, "f-pen")) == len(rects(plot, "plot-other")) == 1
    assert "A & <b>" in texts(plot)
    boxes("x", [BoxRow("flat", (3, 3, 3, 3, 3))])


def test_heat_map_has_every_field_and_is_darker_where_more_is_crossed() -> None:
    layout = lay_out(LEVEL)
    shares = {name: i / len(layout.fields) for i, name in enumerate(layout.fields)}
    plot = heat_map("x", layout, shares)
    assert sorted(map(int, texts(plot))) == sorted(round(share * 100) for share in shares.values())
    assert paths(plot, "s-paper")[0].get("d", "").count("h1") == len(layout.fields)
    tints = paths(plot, "s-pen")
    depth = [float(tint.get("stroke-opacity", 1)) for tint in tints]
    assert depth == sorted(set(depth))
    assert depth[0] < 0.1 < 0.4 < depth[-1] < 0.6
    white = sum(round(share * STEPS) == 0 for share in shares.values())
    assert sum(tint.get("d", "").count("h1") for tint in tints) == len(layout.fields) - white


def test_volcanoes_are_no_fields_that_are_never_crossed() -> None:
    level = parse_level({"id": "hot", "name": "Hot", "grid": ["3x 5 -V 2", "-V 1 6 4"]})
    summary = summarise(level, simulate(level, players=1, games=4, bot="random", seed=1))
    assert set(summary["fields"]) == {"a1", "b1", "d1", "b2", "c2", "d2"}
    assert summary["crossed"] == pytest.approx(sum(summary["fields"].values()) / 6, abs=1e-4)
    plot = heat_map("x", lay_out(level), summary["fields"])
    assert len(texts(plot)) == 6
    assert names(plot) == ["a", "b", "c", "d", "1", "2"]
    for paint in ("f-solid", "f-flame"):
        assert [path.get("d", "").count("M") for path in paths(plot, paint)] == [2]
    # Old reports contain shares of volcanoes.
    old = {"players": 1, "crossed": 0.5, "fields": dict.fromkeys(lay_out(level).fields, 0.0)}
    figure, *_beside = heat_figures(level, old, find_other_levels(level))
    assert len(texts(figure.plot)) == 6
    assert [list(row).count("volcano") for row in figure.rows] == [1, 1]


def test_numbers_too_small_to_read_are_only_in_the_table() -> None:
    rows = [" ".join("123456"[x % 6] for x in range(26)) for _ in range(2)]
    layout = lay_out(parse_level({"id": "wide", "name": "Wide", "grid": rows}))
    plot = heat_map("x", layout, dict.fromkeys(layout.fields, 0.3))
    assert not texts(plot)
    assert paths(plot, "s-pen")[0].get("d", "").count("h1") == 52


def test_heat_maps_of_two_levels_are_drawn_the_same_way() -> None:
    others = find_other_levels(LEVEL)
    setting = others.setting(1)
    assert setting
    mine, beside = heat_figures(others.chosen, dict(setting), others)
    assert beside.plot.partition("<g")[2] == mine.plot.partition("<g")[2]
    assert names(mine.plot)


def test_bar_shows_other_levels_where_they_are() -> None:
    beside = ComparedFigure(0.2, 0.1, 0.3, 0.6)
    plot = share_bars(
        "x", [Bars("", [Bar("a", 0.4, other=beside.one, band=beside[1:]), Bar("b", 0.4)])]
    )
    ours = float(rects(plot, "f-pen")[0].get("width", 0))
    (band,) = rects(plot, "plot-band")
    left = float(rects(plot, "f-pen")[0].get("x", 0))
    assert float(band.get("x", 0)) - left == pytest.approx(ours / 4, abs=0.2)
    assert float(band.get("width", 0)) == pytest.approx(ours * 5 / 4, abs=0.2)
    (one,) = paths(plot, "plot-one")
    assert float(one.get("d", "")[1:].split()[0]) - left == pytest.approx(ours / 2, abs=0.2)


def test_band_without_the_chosen_level_has_no_diamond() -> None:
    plot = share_bars("x", [Bars("", [Bar("a", 0.1, band=(0.9, 0.9, 0.9))])])
    assert not paths(plot, "plot-one")
    (band,) = rects(plot, "plot-band")
    assert float(band.get("x", 0)) < 320


def test_histogram_has_the_outline_of_the_other_level() -> None:
    tally = Histogram("Alone", [10, 10, 11], [14, 15, 15])
    plot = histograms("Scores", [tally, Histogram("2 players", [10])])
    assert len(paths(plot, "plot-line plot-beside")) == len(paths(plot, "plot-one")) == 1


def test_box_of_equal_scores_is_visible() -> None:
    plot = boxes("x", [BoxRow("flat", (3, 3, 3, 3, 3), True), BoxRow("other", (0, 1, 2, 3, 9))])
    assert float(rects(plot, "f-pen")[0].get("width", 0)) >= 4
    assert not paths(plot, "plot-line s-paper")


@pytest.mark.parametrize(("language", "said"), [("en", "26%"), ("de", "26\N{NO-BREAK SPACE}%")])
def test_a_share_is_written_as_in_its_language(language: str, said: str) -> None:
    with translation.override(language):
        assert percent(0.26) == said
