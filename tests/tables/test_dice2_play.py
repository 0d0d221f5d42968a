"""Play at a table of Dice², with the same seats, log, undo and proposals as for Dizzle."""

from __future__ import annotations

import pytest

from sheets.access.keys import new_token
from sheets.rules import RuleViolation
from sheets.rules.dice2.record import format_dice2, replay_dice2
from sheets.rules.dice2.sitting import record_sitting
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import NotYours, Refused, Stale, find_access
from sheets.tables.dice2.board_view import view_board
from tests.dice2_tables import DiceParty, sit_down_for
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db


def test_four_in_a_row_win() -> None:
    party = sit_down_for("four-wins")
    for number, (mine, other) in enumerate(zip("efgh", "efgh", strict=True)):
        party.act("place", 0, f"{mine}5", die=3)
        if number < 3:
            party.act("place", 1, f"{other}6", die=3)
    assert party.game.phase == "finished"
    assert party.game.game.winners == (0,)


def test_real_dice_can_be_taken_back_until_another_player_moves() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    acts.undo(party.access(0), 0, request="undo-0001")
    assert party.game.game.board.is_empty
    party.act("place", 0, "e5", die=4)
    party.act("place", 1, "f5", die=4)
    with pytest.raises(Refused, match="others-acted"):
        acts.undo(party.access(0), 0, request="undo-0002")


def test_app_throws_for_the_next_player() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    assert (party.game.phase, party.game.player) == ("turn", 0)
    party.act("place", 0, "e5")
    assert (party.game.phase, party.game.player) == ("turn", 1)
    assert acts.last_own_act(party.access().table, party.loaded, 1) is None


@pytest.mark.parametrize("game", ["square", "four-wins"])
def test_acts_before_a_throw_of_the_app_cannot_be_undone(game: str) -> None:
    party = sit_down_for(game, dice="rolled")
    party.act("place", 0, "e5")
    assert party.game.thrown
    assert not view_board(party.access(0)).can_undo
    with pytest.raises(Refused, match="others-acted"):
        acts.undo(party.access(0), 0, request="")
    assert party.game.game.board.numbers[40]


def test_an_act_is_final_after_the_move_of_a_bot_and_the_next_throw() -> None:
    party = sit_down_for("four-wins", ("Ana", ""), dice="rolled", start=False)
    seating.seat_bot(party.access(), 1, "greedy")
    acts.start(party.access())
    party.act("place", 0, "e5")
    assert party.game.player == 0
    with pytest.raises(Refused, match="others-acted"):
        acts.undo(party.access(0), 0, request="")


def test_after_going_back_players_keep_their_thrown_dice() -> None:
    party = sit_down_for("relay", target=5, dice="rolled")
    party.act("begin", 0, shape="four-wins")
    anas = [party.game.thrown]
    party.act("place", 0, "e5")
    bens = [party.game.thrown]
    party.act("place", 1, party.game.game.legal()[bens[0]][0])
    anas.append(party.game.thrown)
    acts.propose(party.access(0), 0, 1, request="back-to-one")
    number = party.loaded.state.proposal.number
    acts.answer(party.access(1), True, proposal=number, request="agreed-to-it")
    assert party.game.phase == "begin"
    party.act("begin", 1, shape="four-wins")  # now Ben is the first to throw
    assert party.game.thrown == bens[0]
    party.act("place", 1, "e5")
    assert party.game.thrown == anas[0]
    party.act("place", 0, party.game.game.legal()[anas[0]][0])
    party.act("place", 1, party.game.game.legal()[party.game.thrown][0])
    assert party.game.thrown == anas[1]


def test_a_proposal_calls_the_players_who_have_to_answer() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    acts.propose(party.access(0), 0, 1, request="back-to-one")
    asked, proposer = view_board(party.access(1)), view_board(party.access(0))
    assert asked.call == f"proposal {party.loaded.state.proposal.number}"
    assert asked.page_title == "● Go back?"
    assert not proposer.call
    assert "Go back?" in client_of(party, 1).get("/").content.decode()


def test_a_forced_skip_is_automatic() -> None:
    for seed in range(20):  # some games have no forced skip
        party = sit_down_for("last-man", dice="rolled")
        party.play_on(seed=seed)
        skips = [act for act in event_loader.actions_of(party.access()) if act.do == "skip"]
        if skips:
            break
    assert skips, "chance must have skipped somebody in one of these games"
    assert not any(act.die for act in skips)
    rows = party.access().table.entries.filter(action__do="skip")
    assert set(rows.values_list("seat", flat=True)) == {None}


def test_a_player_who_can_place_no_number_throws_no_real_die() -> None:
    party = sit_down_for("last-man")
    for move in ("4e5", "4e6", "4f5", "1d6", "1f4", "4f6", "1g4", "4g6", "1d5", "4g5", "1g3"):
        party.act("place", party.game.player or 0, move[1:], die=int(move[0]))
    assert party.game.player == 0
    last = event_loader.actions_of(party.access())[-1]
    assert (last.do, last.player, last.die) == ("skip", 1, 0)
    record = record_sitting(party.loaded.start, event_loader.actions_of(party.access()))
    assert replay_dice2(record)["ok"]  # type: ignore[arg-type]
    # The forced skip is undone together with the die before it.
    acts.undo(party.access(0), 0, request="")
    assert party.game.player == 0
    assert event_loader.actions_of(party.access())[-1].do == "place"


def test_an_act_with_dice_of_the_app_is_final_after_the_next_players_move() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    party.act("place", 0, "e5")
    game = party.game
    fields = game.game.legal()[game.thrown]
    party.act("place", 1, fields[0])
    with pytest.raises(Refused, match="others-acted"):
        acts.undo(party.access(0), 0, request="")


def test_the_winning_die_can_be_taken_back() -> None:
    party = sit_down_for("four-wins")
    party.play_on()
    assert party.game.phase == "finished"
    last = next(player for player in (0, 1) if view_board(party.access(player)).can_undo)
    acts.undo(party.access(last), last, request="")
    assert party.game.phase == "turn"
    assert party.game.player == last


def test_a_game_of_a_relay_can_be_taken_back_until_the_next_begins() -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    assert party.game.phase == "begin"
    last = next(player for player in (0, 1) if view_board(party.access(player)).can_undo)
    acts.undo(party.access(last), last, request="")
    assert party.game.relay.points == (0, 0)
    party.play_on(games=1)
    starter = party.game.relay.next_starter
    party.act("begin", starter, shape="last-man")
    acts.undo(party.access(starter), starter, request="")
    assert party.game.phase == "begin"
    party.act("begin", starter, shape="last-man")
    party.act("place", starter, "e5", die=3)
    assert acts.last_own_act(party.access().table, party.loaded, 1 - starter) is None


def test_players_cannot_throw_or_move_for_another_seat() -> None:
    party = sit_down_for("four-wins")
    with pytest.raises(NotYours):
        party.act("place", 0, "e5", die=3, by=1)
    with pytest.raises(NotYours):
        party.act("throw", 0, die=6)


def test_host_moves_for_a_player_who_has_left() -> None:
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
    acts.start(party.access())
    party.play_on()
    assert party.game.phase == "finished"
    start = party.loaded.start
    record = record_sitting(start, event_loader.actions_of(party.access()))
    replayed = replay_dice2(record)  # type: ignore[arg-type]
    assert replayed["ok"]
    assert replayed["winners"] == list(party.game.game.winners)
    assert format_dice2(record)["game"] == game  # type: ignore[arg-type]


def test_loser_starts_the_next_game_of_a_relay() -> None:
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


@pytest.mark.parametrize(("chosen", "starter"), [(None, 1), (0, 0), (1, 1)])
def test_players_keep_their_colours_in_a_rematch(chosen: int | None, starter: int) -> None:
    party = sit_down_for("last-man", ("Ana", "Ben"))
    again = DiceParty(seating.open_rematch(party.access(0), chosen), party.tokens)
    assert [seat.name for seat in again.access().all_seats] == ["Ana", "Ben"]
    assert (again.access().seats, again.access().is_host) == ({0}, True)
    # It starts at once, as no player is missing.
    assert again.game.player == starter
    again.play_on()
    assert again.game.game.winners
    record = record_sitting(again.loaded.start, event_loader.actions_of(again.access()))
    replayed = replay_dice2(record)  # type: ignore[arg-type]
    assert replayed["ok"]
    named = [record.players[player] for player in replayed["winners"]]
    assert named == [("Ana", "Ben")[player] for player in again.game.game.winners]
    # In the next game, the other player is proposed.
    assert seating.next_starter(again.access()) == 1 - starter


def test_a_rematch_waits_for_a_seat_that_was_left() -> None:
    party = sit_down_for("last-man")
    seating.free_seat(party.access(1), 1)
    access = find_access(seating.open_rematch(party.access(0), 1))
    assert not access.table.has_started
    assert access.table.starter == 1


def test_only_the_chosen_player_can_start_the_first_game() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"), start=False)
    acts.start(party.access(), 2)
    assert party.game.player == 2
    party.act("place", 2, "e5", die=3)
    assert party.game.player == 0
    with pytest.raises(NotYours):
        acts.start(party.access(1), 1)


def test_the_only_player_with_dice_left_is_the_certain_winner() -> None:
    party = sit_down_for("last-man")
    while party.game.game.dice_left[1]:
        assert not view_board(party.access()).decided
        game, player = party.game.game, party.game.player or 0
        options = [(die, at) for die, fields in game.legal().items() for at in fields]
        # Ana skips wherever she can.
        stuck = next((die for die, fields in game.legal().items() if not fields), 0)
        if stuck and (player == 0 or not options):
            party.act("skip", player, die=stuck)
        else:
            party.act("place", player, options[0][1], die=options[0][0])
    assert not party.game.is_finished, "the moves above must leave a field for Ana"
    assert view_board(party.access()).decided.startswith("Ana wins for certain")
    party.play_on()
    assert party.game.game.winners == (0,)


def test_a_rematch_has_the_same_players_and_game() -> None:
    party = sit_down_for("relay", target=7)
    code = seating.open_rematch(party.access())
    table = find_access(code).table
    assert (table.game, table.target) == ("relay", 7)
