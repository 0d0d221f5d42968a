"""Successive halving: equal games for all options that may be best; the others are dropped."""

from __future__ import annotations

import pytest

from sheets.bots.halving import Halving, Round


def play(halving: Halving, values: dict[int, list[float]]) -> tuple[int, ...]:
    """Play a round: each option gets its values, repeated. Returns the options of the round."""
    batch = halving.next_batch()
    if batch is None:
        return ()
    for option in batch.options:
        games = [values[option][number % len(values[option])] for number in batch.numbers]
        halving.add(option, games)
    return batch.options


def test_the_options_of_a_round_share_its_games_which_are_numbered_on() -> None:
    halving = Halving(3, (Round(99, 12), Round(2, 10)))
    values = {0: [5, 3, 9, 8], 1: [4, 6, 2, 9], 2: [5, 2, 3, 9]}
    first = halving.next_batch()
    assert first is not None
    assert (first.options, first.numbers) == ((0, 1, 2), range(4))
    for option in first.options:
        halving.add(option, values[option])
    second = halving.next_batch()
    assert second is not None
    assert (second.options, second.numbers) == ((0, 1), range(4, 9))


@pytest.mark.parametrize(
    ("values", "left"),
    [
        ({0: [5, 3, 9, 8], 1: [4, 6, 2, 9], 2: [1, 0, 5, 3]}, (0, 1)),
        ({0: [1, 0, 5, 3], 1: [5, 3, 9, 8], 2: [4, 6, 2, 9]}, (1, 2)),
        ({0: [5, 3, 9, 8], 1: [5, 3, 9, 8], 2: [4, 6, 2, 9]}, (0, 2)),
    ],
    ids=["one is clearly behind", "whatever its place", "two do the same"],
)
def test_an_option_clearly_behind_or_no_different_is_dropped(
    values: dict[int, list[float]], left: tuple[int, ...]
) -> None:
    halving = Halving(3, (Round(99, 12), Round(99, 12)))
    play(halving, values)
    assert play(halving, values) == left


def test_a_dropped_option_does_not_come_back() -> None:
    """In the third round two options are kept, though one of them had fewer games."""
    halving = Halving(3, (Round(99, 12), Round(99, 8), Round(99, 8)))
    play(halving, {0: [5, 3, 9, 8], 1: [4, 6, 2, 9], 2: [1, 0, 5, 3]})
    assert play(halving, {0: [0, 1, 2, 1], 1: [1, 0, 1, 2]}) == (0, 1)
    assert play(halving, {0: [5], 1: [4]}) == (0, 1)
    assert halving.ranking == [0, 1, 2]
    assert [halving.playouts(option) for option in range(3)] == [12, 12, 4]


def test_once_one_option_is_left_the_decision_is_made() -> None:
    halving = Halving(2, (Round(99, 8), Round(99, 8)))
    assert play(halving, {0: [1, 0, 1, 1], 1: [9, 8, 9, 9]}) == (0, 1)
    assert play(halving, {}) == ()
    assert halving.ranking == [1, 0]
    assert halving.value(1) == 8.75


def test_without_rounds_nothing_is_played_and_the_first_option_leads() -> None:
    halving = Halving(2, ())
    assert halving.next_batch() is None
    assert halving.ranking == [0, 1]
    assert halving.value(0) == 0
