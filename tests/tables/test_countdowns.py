"""Tests of countdowns: no present player loses a decision or seat, and the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from sheets.models import Entry
from sheets.rules import Action
from sheets.tables import acts, countdowns, seating
from sheets.tables.access import NotYours, Refused, find_access
from sheets.tables.log_page import log_lines
from sheets.tables.seat_view import view_seat
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import TINY, Party, play_on, sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db


def end_pass(party: Party, player: int) -> None:
    """End the pass for all players."""
    moment = party.loaded.state.moment
    acts.act(party.access(player), Action("end_pass"), moment=moment, request="")


def hurry(party: Party, player: int = 0) -> None:
    """Start the host's countdown for the present players."""
    acts.start_countdown(party.access(player), moment=party.loaded.state.moment, request="")


def count_down(party: Party, number: int, by: int = 0) -> None:
    """Start the host's countdown for a seat."""
    acts.start_countdown(party.access(by), frees=number, request="")


def let_it_run_out() -> None:
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)


def free(party: Party, number: int) -> None:
    seating.free_seat(party.access(), number)


def test_only_the_host_ends_the_pass_for_players_who_do_not_react() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    for player in (1, 2):
        party.act("place", player, "b1")
    party.done(0)
    with pytest.raises(NotYours):
        end_pass(party, 1)
    with pytest.raises(NotYours):
        hurry(party, 1)
    with pytest.raises(Refused, match="not-left"):
        end_pass(party, 0)
    hurry(party)
    with pytest.raises(Refused, match="not-left"):
        end_pass(party, 0)
    acts.mark_present(party.access(2), request="")
    let_it_run_out()
    with pytest.raises(Refused, match="not-left"):
        end_pass(party, 0)
    party.done(2)
    end_pass(party, 0)
    assert party.game.level.names(party.game.sheets[1].crosses) == ["a1", "b1"]
    log = [line.sentence for line in log_lines(party.access())]
    assert "The pass ends (decided by Ana)" in log
    assert "Ana asks whether Ben and Cem will go on" in log
    assert "Cem is here" in log


def in_bens_turn() -> Party:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    return party


def test_the_host_lets_a_bot_decide_only_for_absent_players() -> None:
    party = in_bens_turn()
    with pytest.raises(Refused, match="not-left"):
        acts.stand_in(party.access(0), 1, request="")
    assert view_seat(party.access(0)).presence.absent == []
    seating.free_seat(party.access(1), 1)
    with pytest.raises(NotYours):
        acts.stand_in(find_access(party.code), 1, request="")
    (seen,) = view_seat(party.access(0)).presence.absent
    assert seen.what == "A bot places a die for Ben."
    acts.stand_in(party.access(0), 1, request="")
    assert party.game.sheets[1].dice
    assert "(decided by Ana)" in log_lines(party.access())[0].sentence


def test_any_touch_of_the_page_stops_the_countdown() -> None:
    party = in_bens_turn()
    hurry(party)
    seen = view_seat(party.access(1)).presence
    assert (seen.counts, seen.is_counted, seen.left) == ("Ben", True, 20)
    acts.mark_present(party.access(1), request="")
    let_it_run_out()
    assert view_seat(party.access(0)).presence.counts == ""
    with pytest.raises(Refused, match="not-left"):
        acts.stand_in(party.access(0), 1, request="")
    hurry(party)
    let_it_run_out()
    acts.stand_in(party.access(0), 1, request="")
    assert party.game.sheets[1].dice
    # It was about that one decision.
    assert party.loaded.state.countdown is None


def test_the_host_rolls_for_an_absent_start_player() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY | {"rounds": {"3": 2}}, dice="typed")
    play_on(party, Random(1), 1)
    assert party.game.start_player == 1
    roll = (1,) * party.game.dice_to_roll
    with pytest.raises(NotYours):
        party.act("roll", by=2, dice=roll)
    with pytest.raises(Refused, match="not-left"):
        party.act("roll", by=0, dice=roll)
    seating.free_seat(party.access(1), 1)
    party.act("roll", by=0, dice=roll)
    assert party.game.phase != "roll"


def test_the_seat_of_a_present_player_is_not_freed_at_once() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, "typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 3, 4, 5, 5, 6, 6))
    party.act("place", 0, "b1", die=2)
    with pytest.raises(Refused, match="not-gone"):
        free(party, 1)
    with pytest.raises(NotYours):
        count_down(party, 1, by=2)
    count_down(party, 1)
    seen = view_seat(party.access(1)).presence
    assert (seen.counts, seen.is_counted, seen.left) == ("Ben", True, 20)
    with pytest.raises(Refused, match="not-gone"):
        free(party, 1)
    acts.mark_present(party.access(1), request="")
    let_it_run_out()
    with pytest.raises(Refused, match="not-gone"):
        free(party, 1)
    count_down(party, 1)
    let_it_run_out()
    free(party, 1)
    assert party.access().people == {0, 2}
    told = [line.sentence for line in log_lines(party.access())]
    assert told[0] == "Ana frees the seat of Ben"
    acts.stand_in(party.access(), 1, request="")
    assert party.game.sheets[1].dice


def test_a_countdown_for_a_seat_goes_on_while_others_act_and_ends_with_an_act() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    count_down(party, 2)
    party.act("place", 1, "b1")
    party.done(0, 1)
    let_it_run_out()
    assert view_seat(party.access()).presence.silent == {2}
    party.act("place", 2, "b1")
    with pytest.raises(Refused, match="not-gone"):
        free(party, 2)
    # Own seats and seats of bots are freed without one; a seat that was left has no countdown.
    seating.free_seat(party.access(2), 2)
    assert [line.sentence for line in log_lines(party.access())][1] == "Cem gets up"
    with pytest.raises(Refused, match="seat-is-free"):
        count_down(party, 2)
    rolled = sit_down(("Ana", "Ben"), "level-1", "rolled", start=False)
    free(rolled, 1)
    seating.seat_bot(rolled.access(), 1, "random")
    acts.start(rolled.access())
    free(rolled, 1)
    assert rolled.access().free == {1}


def in_a_proposal() -> Party:
    """Return a table with a proposal by Ben, to which Ana has agreed and Cem has not answered."""
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    acts.propose(party.access(1), 1, 1, request="")
    agree(party, 0)
    return party


def asked(party: Party) -> int:
    """Return the number of the open proposal."""
    proposal = party.loaded.state.proposal
    assert proposal
    return int(proposal.number)


def agree(party: Party, player: int) -> None:
    acts.answer(party.access(player), True, proposal=asked(party), request="")


def ask_for_an_answer(party: Party, by: int = 0) -> None:
    """Start the host's countdown for missing answers."""
    acts.start_countdown(party.access(by), proposal=asked(party), request="")


def decide_alone(party: Party, by: int = 0) -> None:
    acts.decide_alone(party.access(by), proposal=asked(party), request="")


def test_the_host_goes_back_only_without_players_who_do_not_react() -> None:
    party = in_a_proposal()
    # The countdown comes first, however old the proposal is.
    let_it_run_out()
    with pytest.raises(Refused, match="not-left"):
        decide_alone(party)
    with pytest.raises(NotYours):
        ask_for_an_answer(party, by=1)
    ask_for_an_answer(party)
    for player, is_counted in ((1, False), (2, True)):
        seen = view_seat(party.access(player)).presence
        assert (seen.counts, seen.is_counted, seen.for_answer) == ("Cem", is_counted, True)
    with pytest.raises(Refused, match="not-left"):
        decide_alone(party)
    acts.mark_present(party.access(2), request="")
    let_it_run_out()
    with pytest.raises(Refused, match="not-left"):
        decide_alone(party)
    ask_for_an_answer(party)
    let_it_run_out()
    # It was about that answer, and about nothing else.
    with pytest.raises(Refused, match="not-left"):
        end_pass(party, 0)
    with pytest.raises(NotYours):
        decide_alone(party, by=1)
    decide_alone(party)
    assert not party.game.sheets[0].dice
    assert party.loaded.state.countdown is None
    told = [line.sentence for line in log_lines(party.access())]
    assert told[0] == "The game goes back to before “Ana: 2 on b1” (decided by Ana)"
    assert "Ana asks Cem for an answer" in told


def test_a_countdown_for_an_answer_is_about_one_proposal() -> None:
    party = in_a_proposal()
    ask_for_an_answer(party)
    # Acts of other players are no answer of Cem.
    party.act("place", 1, "b1")
    acts.undo(party.access(1), 1)
    let_it_run_out()
    assert countdowns.is_left_to_the_host(party.access(), party.loaded.state)
    acts.propose(party.access(1), 1, 1, request="")
    agree(party, 0)
    with pytest.raises(Refused, match="not-left"):
        decide_alone(party)
    ask_for_an_answer(party)
    acts.answer(party.access(2), False, proposal=asked(party), request="")
    assert party.loaded.state.countdown is None
    with pytest.raises(Refused, match="no-proposal"):
        acts.start_countdown(party.access(), proposal=1, request="")


@pytest.mark.parametrize("gets_up", [True, False])
def test_a_proposal_is_carried_out_when_all_remaining_players_agree(gets_up: bool) -> None:
    party = in_a_proposal()
    if not gets_up:
        count_down(party, 2)
        let_it_run_out()
    seating.free_seat(party.access(2 if gets_up else 0), 2)
    assert party.loaded.state.proposal is None
    assert not party.game.sheets[0].dice


def in_a_proposal_of_dice2() -> Party:
    """Return a table of Dice² with a proposal by Ana to which Ben has not answered."""
    party = sit_down_for("four-wins")
    assert party.game.game
    party.act("place", 0, party.game.game.legal()[1][0], die=1)
    acts.propose(party.access(0), 0, 1, request="")
    return party


@pytest.mark.parametrize(
    ("sat_down", "name"), [(in_a_proposal, "Cem"), (in_a_proposal_of_dice2, "Ben")]
)
def test_the_page_asks_for_an_answer_before_the_host_decides(
    sat_down: Callable[[], Party], name: str
) -> None:
    party = sat_down()
    ana, silent = client_of(party), client_of(party, len(party.tokens) - 1)
    path = f"/table/{party.code}/"

    def seen(who: Client, more: str = "") -> str:
        return " ".join(unmarked(who.get(f"{path}{more}")).split())

    sent = {"proposal": asked(party)}
    decide = 'value="alone"'
    assert decide not in seen(ana)
    assert ana.post(f"{path}answer/", {"answer": "alone", **sent}).status_code == 409
    for client in (silent, client_of(party, 1)):
        assert "Don’t wait …" not in seen(client)
    assert ana.post(f"{path}hurry/", sent).status_code == 302
    for more in ("", "log/"):
        assert "decide without your answer. Touch anything" in seen(silent, more)
    for more in ("", "screen/", "log/"):
        assert f"Waiting for {name} to react." in seen(ana, more)
        assert decide not in seen(ana, more)
    let_it_run_out()
    page = seen(ana)
    assert f"Go back without {name} …" in page
    assert f"without an answer from {name}" in page
    assert decide in page
    assert ana.post(f"{path}answer/", {"answer": "alone", **sent}).status_code == 302
    assert "Ana has decided it" in seen(silent)


def test_the_page_counts_down_before_it_frees() -> None:
    for party in (sit_down(("Ana", "Ben"), TINY), sit_down_for("four-wins")):
        ana = client_of(party)
        path = f"/table/{party.code}/"
        seats = f"{path}seats/"
        assert "First, Ben gets 20 seconds to touch the phone" in unmarked(ana.get(seats))
        assert ana.post(f"{path}free/", {"number": 1}).status_code == 409
        assert ana.post(f"{path}hurry/", {"number": 1}).status_code == 302
        assert "Touch anything" in unmarked(client_of(party, 1).get(path))
        let_it_run_out()
        page = unmarked(ana.get(seats))
        assert "20 seconds" not in page
        assert "Free the seat<" in " ".join(page.split()).replace(" <", "<")
        assert ana.post(f"{path}free/", {"number": 1}).status_code == 302
        assert party.access().free == {1}
