"""A table that plays Dice²: the same seats, log, undo and proposals as for Dizzle."""

from __future__ import annotations

import pytest

from sheets.access.keys import new_token
from sheets.rules import RuleViolation
from sheets.rules.dice2.record import format_dice2, replay_dice2
from sheets.rules.dice2.sitting import record_sitting
from sheets.tables import play, reading, seating
from sheets.tables.access import NotYours, Refused, Stale, find_access
from sheets.tables.dice2.board_view import view_board
from sheets.tables.playing import DICE2
from tests.dice2_tables import sit_down_for

pytestmark = pytest.mark.django_db


def test_four_in_a_row_win() -> None:
    party = sit_down_for("four-wins")
    for number, (mine, other) in enumerate(zip("efgh", "efgh", strict=True)):
        party.act("place", 0, f"{mine}5", die=3)
        if number < 3:
            party.act("place", 1, f"{other}6", die=3)
    assert party.game.phase == "finished"
    assert party.game.game.winners == (0,)


def test_real_dice_can_be_taken_back_until_somebody_goes_on() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    play.undo(party.access(0), 0, request="undo-0001")
    assert party.game.game.board.is_empty
    party.act("place", 0, "e5", die=4)
    party.act("place", 1, "f5", die=4)
    with pytest.raises(Refused, match="others-acted"):
        play.undo(party.access(0), 0, request="undo-0002")


def test_app_throws_for_whoever_is_next() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    assert (party.game.phase, party.game.player) == ("turn", 0)
    party.act("place", 0, "e5")
    assert (party.game.phase, party.game.player) == ("turn", 1)
    assert play.last_own_act(party.access().table, DICE2, party.loaded, 1) is None


def test_what_was_taken_back_meets_the_same_dice_again() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    seen = [party.game.thrown]
    for _ in range(6):
        party.act("place", 0, "e5")
        seen.append(party.game.thrown)
        play.undo(party.access(0), 0, request="")
        assert party.game.game.board.is_empty
    assert seen[0] == party.game.thrown
    assert len(set(seen[1:])) == 1


def test_the_other_players_answer_keeps_an_act_with_the_apps_dice() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    party.act("place", 0, "e5")
    game = party.game
    fields = game.game.legal()[game.thrown]
    party.act("place", 1, fields[0])
    with pytest.raises(Refused, match="others-acted"):
        play.undo(party.access(0), 0, request="")


def test_the_winning_die_can_be_taken_back() -> None:
    party = sit_down_for("four-wins")
    party.play_on()
    assert party.game.phase == "finished"
    last = next(player for player in (0, 1) if view_board(party.access(player)).can_undo)
    play.undo(party.access(last), last, request="")
    assert party.game.phase == "turn"
    assert party.game.player == last


def test_a_game_of_a_relay_can_be_taken_back_until_the_next_begins() -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    assert party.game.phase == "begin"
    last = next(player for player in (0, 1) if view_board(party.access(player)).can_undo)
    play.undo(party.access(last), last, request="")
    assert party.game.relay.points == (0, 0)
    party.play_on(games=1)
    starter = party.game.relay.next_starter
    party.act("begin", starter, shape="last-man")
    play.undo(party.access(starter), starter, request="")
    assert party.game.phase == "begin"
    party.act("begin", starter, shape="last-man")
    party.act("place", starter, "e5", die=3)
    assert play.last_own_act(party.access().table, DICE2, party.loaded, 1 - starter) is None


def test_nobody_throws_or_moves_for_another_seat() -> None:
    party = sit_down_for("four-wins")
    with pytest.raises(NotYours):
        party.act("place", 0, "e5", die=3, by=1)
    with pytest.raises(NotYours):
        party.act("throw", 0, die=6)


def test_host_moves_for_somebody_who_has_left() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    seating.free_seat(party.access(1), 1)
    party.act("place", 1, "f5", die=3, by=0)
    assert party.game.player == 0


def test_move_for_an_earlier_turn_is_stale() -> None:
    party = sit_down_for("four-wins")
    moment = party.loaded.state.moment
    party.act("place", 0, "e5", die=3)
    with pytest.raises(Stale):
        party.act("place", 0, "f5", die=3, moment=moment)


def test_number_that_fits_has_to_be_placed() -> None:
    party = sit_down_for("last-man")
    with pytest.raises(RuleViolation, match="must-place"):
        party.act("skip", 0, die=3)


@pytest.mark.parametrize("game", ["four-wins", "last-man", "major"])
def test_bots_play_a_game_to_its_end(game: str) -> None:
    party = sit_down_for(game, ("Ana", ""), dice="rolled", start=False)
    seating.seat_bot(party.access(), 1, "greedy")
    play.start(party.access())
    party.play_on()
    assert party.game.phase == "finished"
    start = party.loaded.start
    record = record_sitting(start, reading.actions_of(party.access()))
    replayed = replay_dice2(record)  # type: ignore[arg-type]
    assert replayed["ok"]
    assert replayed["winners"] == list(party.game.game.winners)
    assert format_dice2(record)["game"] == game  # type: ignore[arg-type]


def test_relay_goes_on_with_the_loser() -> None:
    party = sit_down_for("relay", target=5, dice="rolled")
    with pytest.raises(NotYours):
        party.act("begin", 0, shape="last-man", by=1)
    party.act("begin", 1, shape="last-man")
    assert party.game.player == 1
    party.play_on(games=1)
    relay = party.game.relay
    assert sum(relay.points) == 1
    winner = relay.points.index(1)
    with pytest.raises(RuleViolation, match="start-order"):
        party.act("begin", winner, by=0, shape="four-wins")
    party.act("begin", 1 - winner, by=0, shape="four-wins")
    assert party.game.pass_number == 2


def test_wrong_numbers_of_players_dice_and_targets_are_refused() -> None:
    token = new_token()
    for game, more in (
        ("square", {"players": 2, "dice": "typed"}),
        ("four-wins", {"players": 3, "dice": "typed"}),
        ("major", {"players": 2, "dice": "table"}),
        ("relay", {"players": 2, "dice": "typed", "target": 6}),
    ):
        with pytest.raises(ValueError, match="no such"):
            seating.open_dice2_table(game, name="Ana", token=token, **more)  # type: ignore[arg-type]


def test_the_next_game_is_started_by_who_came_second() -> None:
    party = sit_down_for("last-man", ("Ana", "Ben"))
    again = find_access(seating.again(party.access(0)), party.tokens[0])
    assert [seat.name for seat in again.everybody] == ["Ben", "Ana"]
    assert (again.seats, again.is_host) == ({1}, True)


def test_same_people_play_the_same_again() -> None:
    party = sit_down_for("relay", target=7)
    code = seating.again(party.access())
    table = find_access(code).table
    assert (table.game, table.target) == ("relay", 7)
