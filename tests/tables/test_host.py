"""Tests of the host role: handed on, taken back, and taken over from a phone that is gone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from sheets.access.keys import new_token
from sheets.models import Entry, Table
from sheets.tables import acts, countdowns, seating
from sheets.tables.access import NotYours, Refused, find_access
from sheets.tables.log_page import log_lines
from sheets.tables.seat_view import view_seat
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import TINY, Party, play_on, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def pass_time(span: timedelta) -> None:
    """Move everything that happened at all tables into the past."""
    for entry in Entry.objects.all():
        Entry.objects.filter(pk=entry.pk).update(made=entry.made - span)
    for table in Table.objects.all():
        Table.objects.filter(pk=table.pk).update(touched=table.touched - span)


def pass_silence() -> None:
    pass_time(countdowns.HOST_SILENCE)


def count_down(party: Party, player: int) -> None:
    acts.start_host_countdown(party.access(player), player, request="")


def become_host(party: Party, player: int) -> None:
    acts.become_host(party.access(player), player, request="")


def in_turn() -> Party:
    """Return a table at which Ana, the host, has to roll."""
    return sit_down(("Ana", "Ben", "Cem"), TINY, "typed")


def in_lobby() -> Party:
    return sit_down(("Ana", "Ben"), TINY, start=False)


def in_dice2() -> Party:
    return sit_down_for("four-wins")


EVERYWHERE = pytest.mark.parametrize(
    "sat_down", [in_turn, in_lobby, in_dice2, finished_party], ids=lambda one: one.__name__
)


@EVERYWHERE
def test_a_player_becomes_host_if_the_phone_of_the_host_is_gone(
    sat_down: Callable[[], Party],
) -> None:
    party = sat_down()
    with pytest.raises(Refused, match="host-there"):
        count_down(party, 1)
    pass_silence()
    with pytest.raises(Refused, match="host-there"):
        become_host(party, 1)
    count_down(party, 1)
    with pytest.raises(Refused, match="host-there"):
        become_host(party, 1)
    pass_time(countdowns.COUNTDOWN)
    become_host(party, 1)
    access = party.access(1)
    assert access.is_host
    # Ana keeps her seat, and the role is hers again if she wants it.
    assert party.access(0).seats == {0}
    become_host(party, 0)
    assert party.access(0).is_host
    assert access.table.revision < party.access().table.revision


@EVERYWHERE
def test_a_host_who_touches_the_phone_stays_host(sat_down: Callable[[], Party]) -> None:
    party = sat_down()
    pass_silence()
    count_down(party, 1)
    acts.mark_present(party.access(0), request="")
    pass_time(countdowns.COUNTDOWN)
    with pytest.raises(Refused, match="host-there"):
        become_host(party, 1)
    with pytest.raises(Refused, match="host-there"):
        count_down(party, 1)
    assert party.access(0).is_host


def test_a_move_of_the_host_ends_the_countdown_as_well() -> None:
    party = in_turn()
    pass_silence()
    count_down(party, 1)
    party.act("roll", by=0, dice=(1, 2, 2, 3, 3, 4, 5, 5, 6, 6))
    pass_time(countdowns.COUNTDOWN)
    with pytest.raises(Refused, match="host-there"):
        become_host(party, 1)


def test_the_log_says_who_was_host() -> None:
    party = in_turn()
    pass_silence()
    count_down(party, 1)
    pass_time(countdowns.COUNTDOWN)
    become_host(party, 1)
    acts.hand_over_host(party.access(1), 2)
    become_host(party, 0)
    assert [line.sentence for line in log_lines(party.access())] == [
        "Ana is the host now",
        "Ben makes Cem the host",
        "Ben is the host now",
        "Ben would like to become host in place of Ana",
    ]


def test_the_new_host_goes_on_for_the_absent_host() -> None:
    """The steps of a real evening: the host's phone is gone in the host's own turn."""
    party = in_turn()
    pass_silence()
    count_down(party, 1)
    pass_time(countdowns.COUNTDOWN)
    become_host(party, 1)
    acts.start_countdown(party.access(1), moment=party.loaded.state.moment, request="")
    pass_time(countdowns.COUNTDOWN)
    party.act("roll", by=1, dice=(1, 2, 2, 3, 3, 4, 5, 5, 6, 6))
    assert party.game.phase == "turn"


def test_only_other_players_count_down_for_the_host() -> None:
    party = in_turn()
    pass_silence()
    stranger = find_access(party.code, new_token())
    for access, player in ((stranger, 1), (party.access(1), 2), (party.access(0), 0)):
        with pytest.raises(NotYours):
            acts.start_host_countdown(access, player, request="")
    with pytest.raises(NotYours):
        acts.become_host(stranger, 1, request="")
    with pytest.raises(NotYours):
        acts.hand_over_host(party.access(1), 1)


def test_a_player_who_was_never_host_cannot_take_the_role() -> None:
    party = in_turn()
    acts.hand_over_host(party.access(0), 1)
    with pytest.raises(Refused, match="host-there"):
        become_host(party, 2)
    become_host(party, 0)
    assert party.access(0).is_host


def test_a_countdown_for_the_host_is_about_the_role_only() -> None:
    """It lets no player act for the host or free the host's seat."""
    party = in_turn()
    acts.hand_over_host(party.access(0), 1)
    pass_silence()
    count_down(party, 0)
    pass_time(countdowns.COUNTDOWN)
    assert countdowns.away(party.access(1), party.loaded.state) == frozenset()


def test_a_host_who_gets_up_makes_the_next_player_host() -> None:
    party = in_turn()
    seating.free_seat(party.access(0), 0)
    assert party.access(0).seats == frozenset()
    assert party.access(1).is_host
    seating.free_seat(party.access(1), 1)
    assert party.access(2).is_host
    with pytest.raises(Refused, match="nobody-else"):
        seating.free_seat(party.access(2), 2)
    assert party.access(2).seats == {2}


def test_a_host_with_two_seats_keeps_the_role_with_the_other() -> None:
    party = in_lobby()
    ana = party.access(0)
    table = sit_down(("Ana", "Ben", "Cem"), TINY, start=False)
    del ana, party
    seating.free_seat(table.access(1), 1)
    seating.take_seat(table.access(0), 1, "Tim", table.tokens[0])
    seating.free_seat(table.access(0), 0)
    assert table.access(0).table.host == 1
    assert table.access(0).is_host


def test_forgetting_a_device_hands_its_host_roles_on() -> None:
    party = in_turn()
    seating.free_all_seats(party.tokens[0])
    assert party.access(1).is_host
    seating.free_all_seats(party.tokens[1])
    seating.free_all_seats(party.tokens[2])
    # Nobody is left; the next player who sits down can become host at once.
    token = new_token()
    seating.take_seat(find_access(party.code), 0, "Dan", token)
    acts.become_host(find_access(party.code, token), 0, request="")
    assert find_access(party.code, token).is_host


def test_the_game_in_a_group_stays_on_its_evening() -> None:
    """Changes of the table after the game do not change when it was played."""
    # The group's code knows tables, not they it.
    from sheets.groups.game_results import result_of_table

    party = finished_party()
    pass_time(timedelta(days=3))
    acts.hand_over_host(party.access(0), 1)
    found = result_of_table(party.access().table)
    assert found
    assert timezone.now() - found.played > timedelta(days=2)


def words(client: Client, path: str) -> str:
    return " ".join(unmarked(client.get(path)).split())


@EVERYWHERE
def test_pages_offer_the_countdown_and_the_role_for_a_silent_host(
    sat_down: Callable[[], Party],
) -> None:
    party = sat_down()
    path = f"/table/{party.code}/"
    ana, ben = client_of(party, 0), client_of(party, 1)
    pages = (
        [path] if not party.access().table.has_started else [path, f"{path}log/", f"{path}seats/"]
    )
    sent = {"number": 1, "for_host": "on"}
    assert ben.post(f"{path}hurry/", sent).status_code == 409
    pass_silence()
    assert ben.post(f"{path}hurry/", sent).status_code == 302
    for page in pages:
        assert "Ben would like to become host because this phone does not react." in words(
            ana, page
        )
        assert "Waiting for Ana to react." in words(ben, page)
    pass_time(countdowns.COUNTDOWN)
    for page in pages:
        assert "Become host" in words(ben, page)
        assert "Ana did not react: any of you can become host." in words(ben, page)
    assert "Become host" not in words(Client(), path)
    assert ben.post(f"{path}host/", {"number": 1}).status_code == 302
    assert party.access(1).is_host


def test_the_button_to_become_host_is_on_the_waiting_page() -> None:
    party = in_turn()
    path = f"/table/{party.code}/"
    ben = client_of(party, 1)
    assert "Ana does not react …" in words(ben, path)
    assert "Ana does not react …" in words(ben, f"{path}seats/")
    assert "does not react" not in words(client_of(party, 0), path)
    assert "does not react" not in words(Client(), path)
    bar = unmarked(client_of(party, 1, "de").get(path))
    assert "Ana reagiert nicht\xa0…" in bar


def test_an_unanswered_proposal_does_not_depend_on_the_host() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, "typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 3, 4, 5, 5, 6, 6))
    acts.propose(party.access(1), 1, party.loaded.state.applied[-1], request="")
    pass_silence()
    page = words(client_of(party, 1), f"/table/{party.code}/")
    proposal = page.partition('id="_proposal"')[2].partition('id="_hurry"')[0]
    assert "Ana does not react …" in proposal


def test_the_page_of_the_seats_updates_itself() -> None:
    party = in_turn()
    path = f"/table/{party.code}/seats/"
    ana = client_of(party, 0)
    assert "Make host" in words(ana, path)
    known = party.access().table.revision
    assert ana.get(f"{path}?known={known}", headers=FROM_SCRIPT).status_code == 204
    state = state_in(ana.get(path, headers=FROM_SCRIPT).content.decode())
    assert set(state["parts"]) == {"_hurry", "_claim", "_seats"}
    assert state["stage"] == "seats"
    sent = {"number": 1, "back": "seats"}
    assert ana.post(f"/table/{party.code}/host/", sent).headers["Location"] == path
    lobby = in_lobby()
    assert client_of(lobby).get(f"/table/{lobby.code}/seats/").url == f"/table/{lobby.code}/"


def test_a_rematch_keeps_the_host() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    play_on(party, Random(1), 99)
    acts.hand_over_host(party.access(0), 1)
    code = seating.open_rematch(party.access(0))
    assert find_access(code, party.tokens[1]).is_host


def test_an_act_of_the_host_from_another_phone_says_that_only_the_host_can() -> None:
    party = in_turn()
    sent = {"request": "b" * 12, "moment": party.loaded.state.moment}
    answer = client_of(party, 1).post(f"/table/{party.code}/hurry/", sent, headers=FROM_SCRIPT)
    assert answer.status_code == 403
    assert state_in(answer.content.decode())["refusal"]["sentence"] == "Only the host can do that."


def test_the_others_learn_who_is_host_now_until_they_act() -> None:
    party = in_turn()
    acts.hand_over_host(party.access(0), 1)

    def news() -> list[str | None]:
        found = [view_seat(party.access(player)).answered for player in range(3)]
        return [one and one.sentence for one in found]

    assert news() == [None, "You are the host now.", "Ben is the host now."]
    acts.hand_over_host(party.access(1), 0)
    assert news() == ["You are the host now.", None, "Ana is the host now."]
