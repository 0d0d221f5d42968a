"""Tests that a tap has the same meaning for the server, the hints and the script."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sheets.levels import shipped_levels
from sheets.rules import Action, Game, Level, RuleViolation, new_game, parse_level
from sheets.rules.level import SHAPES
from sheets.tables.event_log import LogState
from sheets.tables.taps import FAINT, STRONG, script_taps, taps_of
from tests.table_games import RAILS, SPACE, TINY, VOLCANO, random_choice, random_move

LEVELS = {**shipped_levels(), **{raw["id"]: parse_level(raw) for raw in (TINY, SPACE, VOLCANO)}}
LEVELS["rails"] = parse_level(RAILS)

modes = pytest.mark.parametrize("tracked", [False, True], ids=["mirrored", "tracked"])
levels = pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS.keys())


def moments(level: Level, tracked: bool, count: int = 25) -> Iterator[Game]:
    """Yield a random game at each of its first positions."""
    random = Random(level.id)
    game = new_game(level, ("Ana", "Ben")[: max(level.player_counts)], tracked=tracked)
    for number in range(count):
        yield game
        if game.phase == "finished":
            return
        game = game.apply(_some_move(game, random, may_place=number % 9 < 7))


def _some_move(game: Game, random: Random, may_place: bool) -> Action:
    """Return a legal action, occasionally a drop-out or a reroll."""
    if game.phase == "open" and random.random() < 0.1:
        return Action("drop", next(p for p, sheet in enumerate(game.sheets) if not sheet.is_out))
    if "reroll" in game.may() and game.player is not None and random.random() < 0.8:
        return Action("reroll", game.player, dice=(1,) * game.dice_to_roll)
    return random_move(game, random, random_choice(random), may_place)


def is_accepted(game: Game, action: Action) -> bool:
    try:
        game.apply(action)
    except RuleViolation:
        return False
    return True


def tapped(do: str, player: int, at: str) -> Action:
    return Action(do, player, at, shape=SHAPES[0] if do == "track" else "")


@levels
@modes
def test_taps_are_accepted_only_on_hinted_fields_and_on_dice(level: Level, tracked: bool) -> None:
    for game in moments(level, tracked):
        for player in range(len(game.players)):
            taps = taps_of(LogState(game), player)
            for at in level.index:
                action = tapped(taps.on(at), player, at)
                hint = taps.reachable.get(at, "")
                # A track is asked for on one field at a time, the others wait for theirs.
                means = hint == STRONG or at in taps.lying or (taps.do == "track" and hint == FAINT)
                assert is_accepted(game, action) == bool(means), (game.phase, action)


@levels
def test_a_second_tap_reverses_the_first_one(level: Level) -> None:
    for game in moments(level, tracked=False):
        for player in range(len(game.players)):
            taps = taps_of(LogState(game), player)
            for at in [*taps.reachable, *taps.lying] if taps.again else ():
                do = taps.on(at)
                after = taps_of(LogState(game.apply(Action(do, player, at))), player)
                assert after.on(at) == taps.again[do]


def test_a_die_that_fits_nowhere_is_answered_by_putting_one_back() -> None:
    game = next(
        game
        for level in LEVELS.values()
        for game in moments(level, tracked=True)
        if game.phase == "return"
    )
    assert game.player is not None
    taps = taps_of(LogState(game), game.player)
    assert taps.do == "return"
    assert set(taps.reachable) == set(game.level.names(game.sheets[game.player].dice))
    assert taps_of(LogState(game), 1 - game.player).do == "place"


def test_a_done_player_has_no_hints_and_may_take_a_die_back() -> None:
    game = new_game(parse_level(TINY), ("Ana", "Ben"), tracked=False)
    game = game.apply(Action("place", 0, "b1"))
    taps = taps_of(LogState(game, done=frozenset({0})), 0)
    assert not taps.reachable
    assert (taps.on("b1"), taps.on("c1")) == ("return", "place")


def test_a_track_is_chosen_on_one_field_at_a_time() -> None:
    game = new_game(parse_level(RAILS), ("Ana", "Ben"), tracked=False)
    for at in ("b1", "c1"):
        game = game.apply(Action("place", 0, at))
    state = LogState(game.apply(Action("end_pass")))
    assert dict(taps_of(state, 0, track_at="c1").reachable) == {"b1": FAINT, "c1": STRONG}
    assert script_taps(taps_of(state, 0))["tap"] == "track"
    assert not taps_of(state, 1).reachable


@pytest.mark.parametrize(
    ("raw", "owes"), [(SPACE, {"rocket"}), (VOLCANO, {"lava"}), (RAILS, {"track"}), (TINY, set())]
)
def test_the_scripts_state_says_when_a_choice_is_owed(raw: dict[str, Any], owes: set[str]) -> None:
    found = set()
    for game in moments(parse_level(raw), tracked=False):
        for player in range(2):
            sent = script_taps(taps_of(LogState(game), player))
            if sent["owes"]:
                found.add(sent["tap"])
                assert not sent["again"]
    assert found == owes


def test_nothing_can_be_tapped_on_the_sheets_of_others() -> None:
    sent = script_taps(None)
    assert sent == {"tap": "", "lying": [], "again": {}, "hints": {}, "owes": False}
