"""Effects between two moments of a game, one by one in the order of the rules."""

from random import Random

import pytest

from sheets.rules import RULES, Action, Game, RuleViolation, targets, turns
from sheets.rules.documents.game import parse_game
from sheets.rules.effect_list import STORY_RULES, Effect, find_effects, find_effects_of
from tests.rules.drawing import open_pass_of
from tests.rules.random_games import random_game

END = Action("end_pass")
"""The action that ends an untracked pass."""


def effects_of(before: Game, *actions: Action) -> list[Effect]:
    """Return the effects of some actions together."""
    after = before
    for action in actions:
        after = after.apply(action)
    return find_effects(before, after)


def test_bomb_and_shared_flag_follow_the_crosses() -> None:
    game = open_pass_of("4x 2B* 1 2Fr 3 6", "4x 2B 1 2Fr* 3 6", "4x 2B 1 2Fr* 3 6")
    assert effects_of(game, END) == [
        Effect("cross-dice", (0,), ("b1",)),
        Effect("cross-dice", (1,), ("d1",)),
        Effect("cross-dice", (2,), ("d1",)),
        Effect("bomb", (0,), ("b1",), others=(1, 2)),
        Effect("flag", (1, 2), ("d1",), place="flag red", points=10),
    ]


def test_rocket_precedes_the_race_it_completes() -> None:
    areas = [{"fields": ["b1", "d1"], "race": [8, 4]}]
    game = open_pass_of("4x 2R* 1 5P 6", areas=areas)
    assert effects_of(game, END, Action("rocket", 0, "d1")) == [
        Effect("cross-dice", (0,), ("b1",)),
        Effect("rocket", (0,), ("d1",)),
        Effect("race", (0,), ("b1", "d1"), place="race 0", points=8),
    ]


def test_chosen_lava_is_an_effect() -> None:
    game = open_pass_of("2 -V 1x 3")._replace(phase="erupt")
    assert effects_of(game, Action("erupt", die=2), Action("lava", 0, "a1")) == [
        Effect("lava", (0,), ("a1",))
    ]


def test_drawn_tracks_and_the_end_of_the_game_are_effects() -> None:
    game = open_pass_of("1 2*", marks="tracks", tracks={"a1": "EW"})
    assert effects_of(game, END) == []
    assert effects_of(game, END, Action("track", 0, "b1", shape="EW")) == [
        Effect("track", (0,), ("b1",)),
        Effect("full-sheet", (0,)),
    ]
    last = open_pass_of("4x 2 3", rounds={"1": 1})
    assert effects_of(last, END) == [Effect("game-end")]


def test_every_effect_has_the_name_of_a_rule() -> None:
    assert set(STORY_RULES) <= set(RULES)
    assert len(set(STORY_RULES)) == len(STORY_RULES)


def test_every_player_whom_the_rules_find_stuck_is_an_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stuck: list[int] = []
    begin_turn = turns._begin_turn

    def watched(game: Game, player: int) -> Game:
        if not targets(game.sheets[player]):
            stuck.append(player)
        return begin_turn(game, player)

    monkeypatch.setattr(turns, "_begin_turn", watched)
    endings = set()
    for seed in range(60):
        record = parse_game(random_game(Random(seed)))
        before = record.start()
        for action in record.actions:
            stuck.clear()
            try:
                after = before.apply(action)
            except RuleViolation:
                break
            effects = find_effects_of(before, action, after)
            found = [effect.players for effect in effects if effect.rule == "stuck"]
            assert found == [tuple(sorted(stuck))] * bool(stuck), (seed, action)
            if stuck and not after.is_finished:
                endings.add(after.passes_done > before.passes_done)
            before = after
    assert endings == {True, False}


def test_story_of_any_game_accounts_for_every_change_of_every_sheet() -> None:
    seen_rules = set()
    for seed in range(80):
        record = parse_game(random_game(Random(seed)))
        before = record.start()
        for action in record.actions:
            try:
                after = before.apply(action)
            except RuleViolation:
                break
            effects = find_effects_of(before, action, after)
            rules = [effect.rule for effect in effects]
            assert rules == sorted(rules, key=STORY_RULES.index)
            seen_rules |= set(rules)
            changes = {
                (player, name)
                for effect in effects
                for player in (*effect.players, *effect.others)
                for name in (*effect.fields, effect.place)
            }
            for player, (old, new) in enumerate(zip(before.sheets, after.sheets, strict=True)):
                changed = new.crosses & ~old.crosses
                if new.level.rails:  # an effect once the player has drawn the track
                    changed = sum(1 << field for field in {*new.tracks} - {*old.tracks})
                changed |= new.exploded & ~old.exploded | new.lava & ~old.lava
                numbers = new.level.number_tracks.values()
                names = [t.place for t in numbers if t.circled(new) != t.circled(old)]
                assert {(player, name) for name in (*new.level.names(changed), *names)} <= changes
            before = after
    assert seen_rules == set(STORY_RULES)
