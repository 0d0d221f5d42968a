"""Sittings: one game of Dice² or a relay, with real dice or dice thrown by the app."""

from random import Random

import pytest

from sheets.rules import Action, RuleViolation
from sheets.rules.dice2.record import (
    format_dice2,
    format_relay,
    format_relay_state,
    parse_relay,
    replay_dice2,
    replay_relay,
)
from sheets.rules.dice2.sitting import Sitting, new_sitting, record_sitting


def test_with_real_dice_the_action_has_the_number() -> None:
    sitting = new_sitting(["Ana", "Ben"], game="four-wins")
    assert (sitting.phase, sitting.player, sitting.pass_number) == ("turn", 0, 1)
    sitting = sitting.apply(Action("place", 0, "e5", 3))
    assert sitting.player == 1
    with pytest.raises(RuleViolation, match="not-now"):
        sitting.apply(Action("throw", 1, die=3))


def test_the_app_throws_before_the_player_chooses() -> None:
    sitting = new_sitting(["Ana", "Ben"], game="four-wins", app_throws=True)
    assert sitting.phase == "throw"
    with pytest.raises(RuleViolation, match="not-now"):
        sitting.apply(Action("place", 0, "e5", 3))
    with pytest.raises(RuleViolation, match="not-your-turn"):
        sitting.apply(Action("throw", 1, die=3))
    sitting = sitting.apply(Action("throw", 0, die=4)).apply(Action("place", 0, "e5"))
    assert sitting.game
    assert 4 in sitting.game.board.numbers
    assert sitting.phase == "throw"


def test_relay_waits_for_its_next_game() -> None:
    sitting = new_sitting(["Ana", "Ben"], target=5)
    assert (sitting.phase, sitting.player) == ("begin", None)
    with pytest.raises(RuleViolation, match="not-now"):
        sitting.apply(Action("place", 0, "e5", 3))
    sitting = sitting.apply(Action("begin", 1, shape="last-man"))
    assert (sitting.phase, sitting.player) == ("turn", 1)
    with pytest.raises(RuleViolation, match="not-now"):
        sitting.apply(Action("begin", 0, shape="major"))


def play_on(sitting: Sitting, random: Random, actions: list[Action]) -> Sitting:
    """Return the sitting after a random legal action, which is appended to ``actions``."""
    if sitting.phase == "begin":
        starter = sitting.relay.next_starter if sitting.relay else 0
        shape = random.choice(["four-wins", "last-man", "major"])
        action = Action("begin", starter or 0, shape=shape)
    elif sitting.phase == "throw":
        action = Action("throw", sitting.player or 0, die=random.randint(1, 6))
    else:
        die = sitting.thrown or random.randint(1, 6)
        fields = sitting.game.legal()[die] if sitting.game else []
        do, at = ("place", random.choice(fields)) if fields else ("skip", "")
        action = Action(do, sitting.player or 0, at, 0 if sitting.thrown else die)
    actions.append(action)
    return sitting.apply(action)


@pytest.mark.parametrize("app_throws", [True, False])
def test_recorded_sitting_replays_from_its_document(app_throws: bool) -> None:
    random = Random(4)
    start = new_sitting(["Ana", "Ben"], target=5, has_handicap=True, app_throws=app_throws)
    sitting, actions = start, []
    for _ in range(120):
        if sitting.phase != "finished":
            sitting = play_on(sitting, random, actions)
    document = format_relay(record_sitting(start, actions))
    result = replay_relay(parse_relay(document))
    assert result["ok"]
    assert sitting.relay
    assert {key: result[key] for key in ("points", "next_starter", "winners")} == (
        format_relay_state(sitting.relay)
    )


def test_single_game_is_recorded_as_a_game() -> None:
    random = Random(7)
    start = new_sitting(["Ana"], game="square")
    sitting, actions = start, []
    while sitting.phase != "finished":
        sitting = play_on(sitting, random, actions)
    record = record_sitting(start, actions)
    assert format_dice2(record)["game"] == "square"
    assert replay_dice2(record)["finished"]
