"""Tests of going forward again after the game was wound back."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from django.test import Client

from sheets.groups import game_store, store
from sheets.models import GroupResult, Seat
from sheets.rules.documents.game import format_game
from sheets.tables import acts, countdowns, event_loader, seating
from sheets.tables.access import NotYours, Refused
from sheets.tables.log_page import log_lines
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import TINY, Party, random_move, sit_down
from tests.tables.table_clients import client_of, finished_party
from tests.tables.test_host import pass_time

pytestmark = pytest.mark.django_db


def forward_from(party: Party) -> int | None:
    access = party.access()
    return acts.may_go_forward(access, event_loader.load(access))


def go_back(party: Party, to: int, by: int = 0) -> None:
    """Propose to go back, and let all other players agree."""
    acts.propose(party.access(by), by, to, request="")
    agree(party, by)


def go_forward(party: Party, by: int = 0) -> None:
    number = forward_from(party)
    assert number
    acts.propose_forward(party.access(by), by, number, request="")
    agree(party, by)


def agree(party: Party, by: int) -> None:
    for player in range(len(party.tokens)):
        asked = party.loaded.state.proposal
        if player != by and asked:
            acts.answer(party.access(player), True, proposal=asked.number, request="")


def rolled() -> Party:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    while party.game.passes_done < 2 and not party.game.is_finished:
        game = party.game
        move = random_move(game, Random(1), lambda _game, _player, fields: fields[0])
        by = game.start_player if move.player < 0 else move.player
        party.act(move.do, move.player, move.at, by=by, shape=move.shape)
    return party


def mirrored() -> Party:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "b1")
    party.done(0)
    return party


def dice2() -> Party:
    party = sit_down_for("four-wins", dice="rolled")
    for _move in range(5):
        sitting = party.game
        fields = sitting.game.legal()[sitting.thrown]
        party.act("place", sitting.player, fields[0], by=sitting.player)
    return party


@pytest.mark.parametrize(
    "played", [rolled, mirrored, dice2, finished_party], ids=lambda f: f.__name__
)
def test_going_forward_restores_the_state_with_the_same_dice(played: Callable[[], Party]) -> None:
    party = played()
    before = party.loaded.state
    go_back(party, before.applied[0])
    assert party.game != before.game
    go_forward(party)
    after = party.loaded.state
    assert after.game == before.game
    assert after.applied == before.applied
    assert after.done == before.done
    assert after.throws == before.throws
    assert after.pass_ends == before.pass_ends
    assert forward_from(party) is None


def test_going_forward_ends_when_a_player_plays_on() -> None:
    party = mirrored()
    go_back(party, party.loaded.state.applied[0])
    number = forward_from(party)
    assert number
    party.act("place", 2, "b1")
    assert forward_from(party) is None
    with pytest.raises(Refused, match="played-on"):
        acts.propose_forward(party.access(), 0, number, request="")


def test_a_move_ends_the_question_whether_to_go_forward() -> None:
    party = mirrored()
    go_back(party, party.loaded.state.applied[0])
    number = forward_from(party)
    assert number
    acts.propose_forward(party.access(), 0, number, request="")
    asked = party.loaded.state.proposal
    assert asked
    party.act("place", 2, "b1")
    with pytest.raises(Refused, match="no-proposal"):
        acts.answer(party.access(1), True, proposal=asked.number, request="")


def test_a_refused_rewind_leaves_nothing_to_restore() -> None:
    party = mirrored()
    acts.propose(party.access(0), 0, party.loaded.state.applied[0], request="")
    asked = party.loaded.state.proposal
    assert asked
    acts.answer(party.access(1), False, proposal=asked.number, request="")
    assert forward_from(party) is None


def test_two_rewinds_can_both_be_undone() -> None:
    party = mirrored()
    before = party.loaded.state
    go_back(party, before.applied[1])
    between = party.loaded.state
    go_back(party, before.applied[0])
    go_forward(party)
    assert party.loaded.state.game == between.game
    go_forward(party)
    assert party.loaded.state.game == before.game
    # The second rewind is undone, too.
    go_back(party, before.applied[0])
    go_forward(party)
    assert party.loaded.state.game == before.game


def test_an_undo_of_an_earlier_act_prevents_going_forward() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "b1")
    go_back(party, party.loaded.state.applied[1])
    assert forward_from(party)
    acts.undo(party.access(0), 0)
    assert forward_from(party) is None


def _is_of(party: Party, number: int, player: int) -> bool:
    return bool(party.loaded.entries[number - 1].get("player") == player)


def test_automatic_moves_of_bots_do_not_prevent_going_forward() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, "rolled", start=False)
    seating.free_seat(party.access(), 2)
    Seat.objects.filter(table__code=party.code, number=2).update(bot="beginner", token_digest="")
    acts.start(party.access())
    while not (bots := [n for n in party.loaded.state.applied if _is_of(party, n, 2)]):
        game = party.game
        move = random_move(game, Random(1), lambda _game, _player, fields: fields[0])
        by = game.start_player if move.player < 0 else move.player
        party.act(move.do, move.player, move.at, by=by)
    before = party.loaded.state
    acts.propose(party.access(0), 0, bots[0], request="")
    asked = party.loaded.state.proposal
    assert asked
    acts.answer(party.access(1), True, proposal=asked.number, request="")
    number = forward_from(party)
    assert number, "the bot has moved again, and nobody else"
    acts.propose_forward(party.access(), 0, number, request="")
    asked = party.loaded.state.proposal
    assert asked
    acts.answer(party.access(1), True, proposal=asked.number, request="")
    assert party.loaded.state.game == before.game


def test_visitors_and_other_seats_cannot_propose_or_answer() -> None:
    party = mirrored()
    go_back(party, party.loaded.state.applied[0])
    number = forward_from(party)
    assert number
    with pytest.raises(NotYours):
        acts.propose_forward(party.access(1), 0, number, request="")
    acts.propose_forward(party.access(1), 1, number, request="")
    assert party.loaded.state.proposal
    assert forward_from(party)


def test_the_host_goes_forward_without_players_who_do_not_react() -> None:
    party = mirrored()
    before = party.loaded.state.game
    go_back(party, party.loaded.state.applied[0])
    number = forward_from(party)
    assert number
    acts.propose_forward(party.access(0), 0, number, request="")
    asked = party.loaded.state.proposal
    assert asked
    acts.start_countdown(party.access(0), proposal=asked.number, request="")
    pass_time(countdowns.COUNTDOWN)
    acts.decide_alone(party.access(0), proposal=asked.number, request="")
    assert party.game == before
    log = [line.sentence for line in log_lines(party.access())]
    assert log[0] == "The game goes forward again to where it was (decided by Ana)"
    assert "Ana proposes to go forward again" in log


# Groups, files and pages --------------------------------------------------------------------------


def test_group_and_file_follow_a_rewind_and_its_undo() -> None:
    party = finished_party()
    group = store.find(store.create("Family"))
    game = game_store.add_game(group, party.access().table)
    file = format_game(event_loader.record_of(party.access()))

    def kept() -> list[tuple[int | None, float]]:
        game_store.update_changed_games(group.resource)
        rows = GroupResult.objects.filter(game=game).order_by("seat")
        return [(one.points, one.won) for one in rows]

    before = kept()
    assert before
    go_back(party, party.loaded.state.applied[0])
    assert kept() == []
    assert format_game(event_loader.record_of(party.access()))["actions"] == []
    go_forward(party)
    assert kept() == before
    assert format_game(event_loader.record_of(party.access())) == file


def words(client: Client, path: str) -> str:
    return " ".join(unmarked(client.get(path)).split())


def test_pages_say_what_a_rewind_loses_and_offer_to_go_forward() -> None:
    party = finished_party()
    ana, ben = client_of(party, 0), client_of(party, 1)
    path = f"/table/{party.code}/"
    first = party.loaded.state.applied[0]
    points = " : ".join(str(score.total) for score in party.game.scores()).replace("-", "−")
    passes = len(party.loaded.state.pass_ends)
    lost = f"The finished game {points} will be open again."
    page = words(ana, f"{path}log/?before={first}")
    assert lost in page
    assert f"{passes} passes have to be played again." in page
    ana.post(f"{path}propose/", {"player": 0, "to": first})
    asked = party.loaded.state.proposal
    assert asked
    assert lost in words(ben, path)
    ben.post(f"{path}answer/", {"answer": "yes", "proposal": asked.number})
    for page in (path, f"{path}log/"):
        assert "Forward again" in words(ana, page)
        assert "Forward again" not in words(Client(), page)
    number = forward_from(party)
    ana.post(f"{path}propose/", {"player": 0, "to": number, "forward": "on"})
    assert "Ana proposes to go forward again" in words(ben, path)
    assert "Ana proposes to go forward again." in words(ben, f"{path}screen/")
    assert "Forward again" not in words(ben, path)
    asked = party.loaded.state.proposal
    assert asked
    ben.post(f"{path}answer/", {"answer": "yes", "proposal": asked.number})
    assert party.game.is_finished
    assert "All agreed with Ana: the game is again where it was." in words(ben, path)
    for language in ("en", "de"):
        assert words(client_of(party, 0, language), f"{path}log/")


def test_going_back_one_act_of_the_current_pass_loses_nothing_else() -> None:
    party = mirrored()
    path = f"/table/{party.code}/log/?before={party.loaded.state.applied[0]}"
    page = words(client_of(party), path)
    assert "open again" not in page
    assert "played again" not in page


def test_the_board_of_dice2_offers_to_go_forward() -> None:
    party = dice2()
    go_back(party, party.loaded.state.applied[0])
    assert "Forward again" in words(client_of(party), f"/table/{party.code}/")


def test_a_repeated_request_goes_forward_once() -> None:
    party = sit_down(("Ana",), TINY)
    party.act("place", 0, "b1")
    before = party.game
    go_back(party, party.loaded.state.applied[0])
    number = forward_from(party)
    assert number
    for _tap in range(2):
        acts.propose_forward(party.access(), 0, number, request="same")
    assert party.game == before
