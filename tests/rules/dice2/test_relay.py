"""Relay: points, the handicap and the next start player."""

import pytest

from sheets.rules import RuleViolation
from sheets.rules.dice2 import KINDS, Relay, new_game, new_relay
from sheets.rules.dice2.game import finish
from sheets.rules.dice2.relay import worst_player


def won(relay: Relay, starter: int, *winners: int, markers: tuple[int, ...] = ()) -> Relay:
    """Return the relay after another game, won by these players."""
    relay = relay.begin(KINDS["major"], starter)
    assert relay.current
    game = relay.current._replace(last_placed=tuple(range(relay.players)))
    game = game._replace(markers=markers or game.markers)
    return relay._replace(current=finish(game, winners))._settle()


def test_with_the_handicap_a_win_pays_two_to_all_but_the_start_player() -> None:
    relay = new_relay(2, 5, has_handicap=True)
    relay = won(relay, 0, 0)
    assert (relay.points, relay.next_starter) == ((1, 0), 1)
    relay = won(relay, 1, 0)
    assert (relay.points, relay.next_starter) == ((3, 0), 1)
    assert won(new_relay(2, 5, has_handicap=False), 0, 1).points == (0, 1)


def test_loser_starts_next_and_with_three_the_worst() -> None:
    relay = new_relay(3, 9, has_handicap=False)
    assert won(relay, 0, 0, markers=(6, 2, 4)).next_starter == 1
    assert won(relay, 0, 0, markers=(6, 2, 2)).next_starter == 1
    assert won(relay, 2, 1, 2, markers=(0, 3, 3)).next_starter == 0
    assert won(relay, 2, 0, 1, 2).next_starter == 0


def test_earlier_last_die_is_worse_and_a_tie_goes_to_the_next_after_the_start_player() -> None:
    relay = new_relay(3, 9, has_handicap=False).begin(KINDS["major"], 2)
    assert relay.current
    game = finish(relay.current, (0,))
    assert worst_player(game._replace(last_placed=(9, 8, 7)), 2) == 2
    assert worst_player(game._replace(last_placed=(9, -1, -1)), 2) == 1


def test_target_ends_the_relay_and_equal_points_share_it() -> None:
    relay = new_relay(2, 5, has_handicap=False)._replace(points=(4, 4))
    both = won(relay, 0, 0, 1)
    assert (both.winners, both.next_starter) == ((0, 1), None)
    one = won(relay, 0, 1)
    assert one.winners == (1,)
    with pytest.raises(RuleViolation, match="not-now"):
        one.begin(KINDS["major"], 0)


def test_next_game_waits_for_the_last_and_starts_with_the_right_player() -> None:
    relay = new_relay(2, 5, has_handicap=False).begin(KINDS["four-wins"], 1)
    with pytest.raises(RuleViolation, match="not-now"):
        relay.begin(KINDS["four-wins"], 0)
    with pytest.raises(RuleViolation, match="start-order"):
        won(new_relay(2, 5, has_handicap=False), 0, 0).begin(KINDS["four-wins"], 0)


@pytest.mark.parametrize(("winners", "shared"), [((0, 1), True), ((0,), False)])
def test_refusal_of_a_start_player_states_whether_all_shared_the_game(
    winners: tuple[int, ...], shared: bool
) -> None:
    game = new_game(KINDS["major"], 2)._replace(is_finished=True, winners=winners)
    relay = new_relay(2, 5, has_handicap=False)._replace(current=game, next_starter=1)
    with pytest.raises(RuleViolation) as refused:
        relay.begin(KINDS["major"], 0)
    assert refused.value.facts["shared"] is shared
