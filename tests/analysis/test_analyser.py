"""Analysis of a game: decisions, luck and play, which add up to the final scores."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest

from sheets.analysis import analyser
from sheets.analysis.analyser import Analyser, _SampledDecision
from sheets.analysis.decisions import find_course
from sheets.analysis.document import format_analysis, game_digest
from sheets.analysis.playouts import Results
from sheets.documents.analysis import read_analysis
from sheets.levels import find_level
from sheets.rules import Action, DocumentError, RuleViolation, parse_level
from sheets.rules.documents.game import Record, history
from sheets.stats import Estimate, find_significant
from tests.analysis.tiny_games import play_tiny_game
from tests.rules.random_games import random_level
from tests.score_levels import GARDEN
from tests.table_games import RAILS, SPACE, VOLCANO


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (12, 16, 16))
    monkeypatch.setattr(analyser, "GAMES_PER_PASS", (0, 16, 16))


def garden(players: int = 2) -> Record:
    return play_tiny_game(
        parse_level(GARDEN), ("Ana", "Ben", "Cem")[:players], Random(players), 0.3
    )


def document_of(record: Record) -> dict[str, Any]:
    *_, last = Analyser(record).rounds()
    return format_analysis(last)


def test_a_correction_after_the_game_is_no_decision_in_it() -> None:
    record = garden()
    blank = Action("correct", 0, sheet={})
    corrected = record._replace(actions=(*record.actions, blank))
    assert not [*history(corrected)][-1].sheets[0].flags
    assert find_course(corrected) == find_course(record)
    assert document_of(corrected)["players"] == document_of(record)["players"]


@pytest.mark.parametrize("level", [GARDEN, SPACE, VOLCANO, RAILS], ids=lambda level: level["id"])
def test_choices_are_all_legal_actions(level: dict[str, Any]) -> None:
    record = play_tiny_game(parse_level(level), ("Ana", "Ben"), Random(3))
    games = list(history(record))
    decisions = {one.number: one for one in find_course(record).decisions}
    kinds = set()
    for number, action in enumerate(record.actions):
        if action.do in ("roll", "erupt"):
            assert number not in decisions
        if number not in decisions:
            continue
        one, kinds = decisions[number], kinds | {action.do}
        assert one.game == games[number]
        assert one.choices[one.played]._replace(dice=action.dice) == action
        assert len(set(one.choices)) == len(one.choices) > 1
        for choice in one.choices:
            dice = (1,) * len(one.game.pool) if choice.do == "reroll" else ()
            assert one.game.apply(choice._replace(dice=dice)) is not None
        legal = one.game.legal()
        if legal and action.do == "place":
            assert len(one.choices) == sum(len(fields) for fields in legal.values())
    assert "place" in kinds


def test_a_player_without_a_choice_decides_nothing() -> None:
    record = garden()
    decided = {one.number for one in find_course(record).decisions}
    for number, game in enumerate(history(record)):
        if sum(len(fields) for fields in game.legal().values()) == 1:
            assert number not in decided


def test_a_broken_game_is_refused() -> None:
    record = garden()
    with pytest.raises(RuleViolation):
        find_course(record._replace(actions=(*record.actions, Action("drop", 0))))


def test_luck_and_play_add_up_to_the_final_scores() -> None:
    record = garden()
    document = document_of(record)
    *_, last = history(record)
    for player, score in zip(document["players"], last.scores(), strict=True):
        parts = {name: part["mean"] for name, part in player["points"].items()}
        assert parts["end"] == score.total
        added = parts["start"] + parts["luck"] + parts["play"] + parts["others"]
        assert added == pytest.approx(score.total, abs=0.05)
        of_passes = sum(
            entry["luck"][document["players"].index(player)]["mean"]
            for entry in document["course"][1:]
        )
        assert of_passes == pytest.approx(parts["luck"], abs=0.2)
    assert document["course"][0]["after"] == 0
    assert document["course"][-1]["after"] == len(record.actions)
    assert sum(one["mean"] for one in document["course"][-1]["win"]) == pytest.approx(1)


def test_the_usual_choice_is_neither_good_nor_bad_play() -> None:
    decisions = document_of(garden())["decisions"]
    usual = [one for one in decisions if one["played"] == one["usual"]]
    assert usual
    for one in usual:
        assert one["play"]["points"] == {"mean": 0.0, "within": 0.0}


def test_the_same_seed_yields_the_same_document_for_any_names() -> None:
    record = garden()
    renamed = record._replace(players=("Zoe", "Yan"))
    ours, theirs = document_of(record), document_of(renamed)
    assert ours["decisions"] == theirs["decisions"]
    assert ours["game"]["digest"] == theirs["game"]["digest"] == game_digest(record)
    assert format_analysis(next(Analyser(record, seed=2).rounds()), seed=2) != ours


def test_a_solo_game_has_points_only() -> None:
    document = document_of(garden(1))
    written = json.dumps(document)
    assert '"win"' not in written
    assert read_analysis(written.encode())["players"][0]["points"]["others"]["mean"] == 0


def test_levels_that_cannot_be_batched_are_played_game_by_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = play_tiny_game(parse_level(SPACE | {"rounds": {"2": 1}}), ("Ana", "Ben"), Random(1))
    together = document_of(record)
    monkeypatch.setattr("sheets.bots.option_values.supports", lambda level: False)
    monkeypatch.setattr(analyser, "affordable_playouts", lambda level, times: times)
    one_by_one = document_of(record)
    for ours, theirs in zip(together["course"], one_by_one["course"], strict=True):
        for kind in ("points", "win"):
            for one, other in zip(ours[kind], theirs[kind], strict=True):
                far = abs(one["mean"] - other["mean"])
                assert far <= 1.5 * (one["within"] + other["within"])


def test_a_document_is_read_back_and_a_wrong_one_refused() -> None:
    document = document_of(garden())
    assert read_analysis(json.dumps(document).encode()) == document
    for wrong in (
        document | {"format": "dizzle-game/1"},
        document | {"more": 1},
        document | {"players": document["players"][:1]},
        document | {"decisions": [document["decisions"][0] | {"played": 99}]},
        document | {"decisions": [document["decisions"][0] | {"player": 5}]},
        {key: value for key, value in document.items() if key != "seed"},
    ):
        with pytest.raises(DocumentError):
            read_analysis(json.dumps(wrong).encode())


@pytest.mark.parametrize("seed", range(4))
def test_any_game_can_be_analysed(seed: int) -> None:
    random = Random(f"look/{seed}")
    level = parse_level(random_level(random))
    players = random.choice(level.player_counts)
    record = play_tiny_game(level, ("A", "B", "C", "D", "E", "F")[:players], random)
    document = format_analysis(next(Analyser(record).rounds()))
    assert read_analysis(json.dumps(document).encode()) == document


def test_long_games_of_many_players_get_fewer_play_outs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (32, 192))
    record = play_tiny_game(find_level("level-8"), ("A", "B"), Random(1))
    before = Analyser(record).planned
    monkeypatch.setattr(analyser, "MAX_FIRST_GAMES", before // 2)
    assert Analyser(record).planned < before


def test_significance_is_corrected_for_several_comparisons() -> None:
    assert find_significant([0.04]) == [True]
    assert find_significant([0.04, 0.9]) == [False, False]
    assert find_significant([0.04, 0.001]) == [True, True]
    assert find_significant([]) == []
    assert Estimate(1.0, 0.0).p_value == 0
    assert Estimate(0.0, 0.0).p_value == 1
    assert Estimate(1.96, 1.0).p_value == pytest.approx(0.05, abs=1e-3)


def test_a_well_sampled_choice_is_not_dropped_for_a_rarely_sampled_one() -> None:
    record = play_tiny_game(find_level("level-1"), ("Ana", "Ben"), Random(1), 0.3)
    decision = next(one for one in find_course(record).decisions if len(one.choices) > 3)
    known, lucky = [n for n in range(4) if n not in (decision.played, decision.bot_choice)][:2]
    case = _SampledDecision(decision)
    chance = np.random.default_rng(1)

    def results(times: int, **means: float) -> Results:
        by_place = {known: means["known"], lucky: means["lucky"]}
        spread = chance.normal(0, 30, (len(case.options), times, 2, 2))
        spread -= spread.mean(axis=1, keepdims=True)
        points = [by_place.get(place, 0.0) for place in case._places]
        return np.asarray(points)[:, None, None, None] + spread

    case.add(0, results(12, known=13.5, lucky=13))
    assert case.choose(1)
    assert known in case._places
    assert lucky not in case._places
    case.add(1, results(400, known=12.5, lucky=0))
    assert case.choose(2)
    assert known in case._places
    assert lucky not in case._places
