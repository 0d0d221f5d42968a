"""Tests of a bot that plays on for a player who leaves for good."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from sheets.access.keys import new_token
from sheets.groups.game_results import result_of_table
from sheets.models import Entry
from sheets.rules import Action
from sheets.tables import acts, claims, countdowns, event_writer, seating
from sheets.tables.access import NotYours, Refused, find_access
from sheets.tables.family import thinker_at
from sheets.tables.log_page import log_lines
from sheets.tables.seating import SeatTaken
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import RAILS, SPACE, TINY, VOLCANO, Party, random_move, sit_down
from tests.tables.table_clients import client_of
from tests.tables.test_claims import stamp

pytestmark = pytest.mark.django_db


def leave(party: Party, player: int, bot: str = "player", by: int | None = None) -> None:
    access = party.access(player if by is None else by)
    seating.let_bot_play_on(access, player, bot)


def play_without(party: Party, *gone: int, by: int = 0) -> None:
    """Play to the end without acts of absent players; the host rolls for them."""
    random = Random(1)
    for _act in range(3000):
        game = party.game
        if game.is_finished:
            return
        here = [n for n in range(len(game.players)) if n not in gone]
        if thinker_at(party.access(), party.loaded.state) is not None:
            event_writer.play_on(party.code, timedelta())
            continue
        if game.phase == "open":
            party.done(*(n for n in here if n not in party.loaded.state.done))
            continue
        move = random_move(game, random, lambda _game, _player, fields: fields[0])
        assert move.player not in gone, move
        roller = game.start_player if game.start_player in here else by
        actor = roller if move.player < 0 else move.player
        party.act(move.do, move.player, move.at, by=actor, die=move.die, dice=move.dice,
                  shape=move.shape)  # fmt: skip
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("strength", ["beginner", "player", "expert"])
@pytest.mark.parametrize("dice", ["rolled", "typed", "table"])
def test_one_tap_and_a_bot_plays_on_to_the_end(dice: str, strength: str) -> None:
    level = SPACE if strength == "player" else TINY
    party = sit_down(("Ana", "Ben"), level, dice)
    path = f"/table/{party.code}/"
    answer = client_of(party, 1).post(f"{path}bot/", {"number": 1, "bot": strength})
    assert answer.status_code == 302
    play_without(party, 1)
    assert party.game.is_finished
    assert party.game.players == ("Ana", "Ben → Bot")


@pytest.mark.parametrize("level", [VOLCANO, RAILS], ids=["volcano", "rails"])
def test_the_bot_takes_all_decisions_at_the_end_of_a_pass(level: dict[str, object]) -> None:
    for dice in ("typed", "table"):
        party = sit_down(("Ana", "Ben"), level, dice)
        leave(party, 1)
        play_without(party, 1)
        assert party.game.is_finished


def test_the_host_lets_a_bot_play_on_for_an_absent_player() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, "typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 3, 4, 5, 5, 6, 6))
    party.act("place", 0, "b1", die=2)
    with pytest.raises(NotYours):
        leave(party, 1, by=2)
    with pytest.raises(Refused, match="not-gone"):
        leave(party, 1, by=0)
    acts.start_countdown(party.access(0), moment=party.loaded.state.moment, request="")
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    page = unmarked(client_of(party).get(f"/table/{party.code}/"))
    assert "A bot plays on for Ben until the end:" in page
    leave(party, 1, by=0)
    assert party.game.player == 2, "the bot has placed at once"
    assert any(
        line.sentence == "Ben → Bot: a bot plays on (decided by Ana)"
        for line in log_lines(party.access())
    )


def test_a_bot_can_take_a_free_seat_without_a_countdown() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    seating.free_seat(party.access(1), 1)
    leave(party, 1, by=0)
    with pytest.raises(SeatTaken):
        leave(party, 1, by=0)


def test_bots_alone_do_not_play() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    leave(party, 1)
    with pytest.raises(Refused, match="nobody-else"):
        leave(party, 0)
    assert party.access(0).seats == {0}


def test_the_host_who_leaves_hands_the_role_on() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    leave(party, 0)
    assert party.access(1).is_host


def test_no_bot_plays_on_with_unknown_dice() -> None:
    party = sit_down_for("four-wins")
    answer = client_of(party, 1).post(f"/table/{party.code}/bot/", {"number": 1, "bot": "player"})
    assert answer.status_code == 400
    assert (
        "A bot plays on" not in client_of(party).get(f"/table/{party.code}/seats/").content.decode()
    )
    rolled = sit_down_for("four-wins", dice="rolled")
    leave(rolled, 1)
    assert rolled.access().all_seats[1].bot == "player"


def test_result_and_group_name_the_bot_and_count_no_loss() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "table")
    party.act("place", 1, "b1")
    leave(party, 1)
    play_without(party, 1)
    page = " ".join(unmarked(client_of(party).get(f"/table/{party.code}/")).split())
    assert "Ben → Bot" in page
    assert "The game counts as neither a win nor a loss for Ben." in page
    found = result_of_table(party.access().table)
    assert found
    assert [(one.name, one.is_bot) for one in found.results] == [
        ("Ana", False),
        ("Ben → Bot", True),
    ]


def test_a_returning_player_gets_name_and_seat_back() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "table")
    leave(party, 1)
    token = new_token()
    claims.claim(find_access(party.code, token), 1, token)
    page = unmarked(client_of(party).get(f"/table/{party.code}/"))
    assert "I am Ben, and" in page
    claims.confirm(party.access(0), 1, stamp(party))
    back = find_access(party.code, token)
    assert back.seats == {1}
    assert party.game.players == ("Ana", "Ben")
    acts.act(back, Action("place", 1, "b1"), moment=party.loaded.state.moment, request="")
    assert party.game.sheets[1].dice


def test_a_rematch_has_a_free_seat_for_the_player() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "table")
    leave(party, 1)
    play_without(party, 1)
    code = seating.open_rematch(party.access())
    seats = find_access(code).all_seats
    assert [(seat.name, seat.bot, seat.is_free) for seat in seats] == [
        ("Ana", "", False),
        ("Ben", "", True),
    ]


@pytest.mark.parametrize("has_left", [True, False], ids=["left", "here"])
def test_no_bot_plays_on_after_the_end(has_left: bool) -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    seats, sent = f"/table/{party.code}/seats/", {"number": 1, "bot": "player"}
    ana, ben = client_of(party), client_of(party, 1)
    if has_left:
        seating.free_seat(party.access(1), 1)
    asking = ana if has_left else ben
    shown = asking.get(seats).text
    assert 'name="bot"' in shown
    if has_left:
        seating.take_seat(party.access(), 1, "Ben", party.tokens[1])
    play_without(party)
    if has_left:
        seating.free_seat(party.access(1), 1)
    assert 'name="bot"' not in asking.get(seats).text
    assert asking.post(f"/table/{party.code}/bot/", sent).status_code == 409
    assert not party.access().all_seats[1].bot


def test_a_claim_after_the_end_leaves_the_result_to_the_bot() -> None:
    party, back = sit_down(("Ana", "Ben"), TINY, "rolled"), new_token()
    leave(party, 1)
    play_without(party, 1)
    claims.claim(find_access(party.code, back), 1, back)
    claims.confirm(party.access(), 1, stamp(party))
    access = find_access(party.code, back)
    assert access.seats == {1}
    for _ in range(2):
        found = result_of_table(access.table)
        assert found
        assert [(one.name, one.is_bot) for one in found.results] == [
            ("Ana", False),
            ("Ben → Bot", True),
        ]
        seating.free_all_seats(back)
    with pytest.raises(Refused, match="game-over"):
        seating.free_seat(party.access(), 1)
    following = find_access(seating.open_rematch(party.access())).all_seats
    assert [(seat.name, seat.bot) for seat in following] == [("Ana", ""), ("Ben", "")]
