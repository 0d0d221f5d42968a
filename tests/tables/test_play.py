"""Tests of play at a table: acts, refusals, undo and proposals until the end of the game."""

from __future__ import annotations

import itertools
from functools import partial
from random import Random

import pytest
from django.db import transaction
from django.utils import timezone

from sheets.access import codes
from sheets.access.keys import new_token
from sheets.models import Entry, Seat, Table
from sheets.rules import Action, RuleViolation, targets
from sheets.rules.documents.game import format_game, parse_game, replay_actions
from sheets.tables import acts, countdowns, event_loader, proposals, seating
from sheets.tables.access import NotYours, Refused, Stale, UnknownTable, find_access
from sheets.tables.event_log import read_log
from sheets.tables.log_page import log_lines
from sheets.tables.replay import story_of
from sheets.tables.seat_view import view_seat
from tests.app_dice import let_app_throw
from tests.concurrency import run_at_once
from tests.dice2_tables import sit_down_for
from tests.table_games import (
    RAILS,
    SPACE,
    TINY,
    VOLCANO,
    Party,
    play_on,
    play_pass,
    random_choice,
    random_move,
    sit_down,
)

pytestmark = pytest.mark.django_db


def crosses(party: Party, player: int) -> list[str]:
    sheet = party.game.sheets[player]
    return sheet.level.names(sheet.crosses & ~sheet.level.printed)


# Sitting down ------------------------------------------------------------------------------------


def test_no_player_acts_before_the_host_begins_the_game() -> None:
    party = sit_down(start=False)
    with pytest.raises(Refused, match="not-started"):
        acts.act(party.access(), Action("place", 0, "b1"), moment="1-open", request="r1")


def test_only_the_host_begins_and_only_a_full_table() -> None:
    found = sit_down(("Ana", "Ben", "Cem"), start=False)
    with pytest.raises(NotYours):
        acts.start(found.access(1))
    seating.free_seat(found.access(2), 2)
    with pytest.raises(Refused, match="seat-free"):
        acts.start(found.access())


def test_two_devices_cannot_sit_on_one_seat() -> None:
    party = sit_down()
    with pytest.raises(seating.SeatTaken):
        seating.take_seat(find_access(party.code), 1, "Eve", new_token())


def test_one_device_holds_several_seats() -> None:
    party = sit_down(("Ana", "Ben"), TINY, start=False)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(find_access(party.code), 1, "Kim", party.tokens[0])
    acts.start(party.access())
    assert party.access().seats == {0, 1}
    party.act("place", 1, "b1", by=0)
    assert party.game.sheets[1].dice


def test_typed_codes_ignore_case_and_blanks() -> None:
    party = sit_down()
    assert find_access(party.code.lower()).table.code == party.code
    with pytest.raises(UnknownTable):
        find_access("ZZZZZ")
    typed = party.access().table.typed_code or ""
    for text in (f" {typed.lower()}", f"{typed[:3]}-{typed[3:]}", f"http://a.b/table/{typed}/"):
        found = codes.look_up(codes.parse_code(text), token="", customer_address="10.0.0.1")
        assert found == party.code
    for code, length in ((party.code, codes.ADDRESS_LENGTH), (typed, codes.TYPED_LENGTH)):
        assert set(code) <= set(codes.ALPHABET)
        assert len(code) == length
    assert not set("IL01O") & set(codes.ALPHABET)


def test_secrets_are_stored_as_digests_only() -> None:
    party = sit_down()
    kept = Seat.objects.values_list("token_digest", flat=True)
    assert not set(kept) & set(party.tokens)


# A mirrored pass ---------------------------------------------------------------------------------


def test_dice_become_crosses_when_all_are_done() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "a2")
    party.done(0)
    assert party.game.pass_number == 1
    party.done(1)
    assert party.game.pass_number == 2
    assert (crosses(party, 0), crosses(party, 1)) == (["b1"], ["a2"])


def test_a_player_who_places_again_is_no_longer_done() -> None:
    party = sit_down(level=TINY)
    party.done(0)
    party.act("place", 0, "b1")
    party.done(1)
    assert party.game.pass_number == 1
    party.done(0)
    assert party.game.pass_number == 2


def test_a_pass_does_not_wait_for_players_who_dropped_out() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.act("drop", 0)
    party.done(1)
    assert crosses(party, 0) == ["b1"]


def test_the_owner_takes_a_die_back() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.act("return", 0, "b1")
    assert not party.game.sheets[0].dice


def test_a_refusal_names_the_rule_and_changes_nothing() -> None:
    party = sit_down(level=TINY)
    before = party.loaded
    with pytest.raises(RuleViolation) as refused:
        party.act("place", 0, "e3")
    assert refused.value.rule == "not-next-to-cross"
    assert party.loaded == before


@pytest.mark.parametrize("dice", ["table", "typed", "rolled"])
@pytest.mark.parametrize("level", [TINY, SPACE, VOLCANO, RAILS], ids=lambda level: level["id"])
def test_the_state_after_an_act_equals_the_replay_of_the_log(
    level: dict[str, object], dice: str
) -> None:
    party = sit_down(level=level, dice=dice)
    random = Random(1)
    for _move in range(20):
        if party.game.phase == "finished":
            break
        move = random_move(party.game, random, random_choice(random), random.random() < 0.8)
        by = 0 if move.do == "end_pass" else party.game.start_player if move.player < 0 else None
        facts = {"die": move.die, "dice": move.dice, "shape": move.shape}
        party.act(move.do, move.player, move.at, by=by, **facts)
        entries = tuple(Entry.objects.order_by("number").values_list("action", flat=True))
        assert party.loaded.entries == entries
        assert party.loaded.state == read_log(party.loaded.start, entries)


def test_bomb_flag_and_key_apply_to_all_players_at_once() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY | {"rounds": {"3": 2}})
    for at in ("b1", "c1", "d1"):  # Ana: bomb and flag
        party.act("place", 0, at)
    for at in ("b1", "b2"):  # Ben: the key
        party.act("place", 1, at)
    party.done(0, 1, 2)
    ana, ben, cem = party.game.sheets
    bomb = party.game.level.mask(["c1"])
    assert (ana.exploded, ben.exploded, cem.exploded) == (0, bomb, bomb)
    assert (ana.flags, ben.flags) == ({"red": 10}, {})
    assert (ben.closed, ana.closed) == (0, party.game.level.mask(["c2"]))
    story = story_of(party.loaded.state.pass_ends[-1])
    assert [effect.rule for effect in story] == ["cross-dice", "cross-dice", "bomb", "flag"]


def test_a_flag_reached_by_two_at_once_pays_both_the_same() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY | {"rounds": {"3": 2}})
    for player in (0, 1):
        for at in ("b1", "c1", "d1"):
            party.act("place", player, at)
    party.done(0, 1, 2)
    assert [sheet.flags for sheet in party.game.sheets] == [{"red": 10}, {"red": 10}, {}]
    for at in ("b1", "b2"):
        party.act("place", 2, at)
    party.done(0, 1, 2)
    for at in ("c2", "d2", "e2"):
        party.act("place", 2, at)
    party.done(0, 1, 2)
    assert party.game.sheets[2].flags == {"red": 3}


def test_a_request_about_a_past_pass_is_stale() -> None:
    party = sit_down(level=TINY)
    moment = party.loaded.state.moment
    party.done(0, 1)
    with pytest.raises(Stale):
        party.act("place", 0, "b1", moment=moment)
    with pytest.raises(Stale):
        acts.set_done(party.access(), 0, True, moment=moment, request="late")


def test_a_repeated_done_is_accepted_and_adds_one_entry() -> None:
    party = sit_down(level=TINY)
    party.done(0, 1)
    acts.undo(party.access(1), 1)  # the pass goes on, and player 0 is still done
    assert party.loaded.state.done == {0}
    length = party.access().table.length
    moment = party.loaded.state.moment
    changed = acts.set_done(party.access(0), 0, True, moment=moment, request="again")
    assert changed.table.length == party.access().table.length == length
    assert party.loaded.state.done == {0}


def test_requests_are_idempotent_by_their_id() -> None:
    party = sit_down(level=TINY)
    request = party.act("place", 0, "b1")
    length = party.access().table.length
    party.act("place", 0, "b1", request=request)
    party.act("return", 0, "b1", request=request)
    assert party.access().table.length == length


def test_a_pass_does_not_wait_for_players_who_left() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 2, "b1")
    party.done(0, 1)
    seating.free_seat(party.access(2), 2)
    assert party.game.pass_number == 2
    assert crosses(party, 2) == ["b1"]
    view = view_seat(party.access(), seat=0)
    assert [person.is_done for person in view.people] == [False, False, True]
    assert view.waiting == "Still placing: Ben"
    party.done(0, 1)
    assert party.game.pass_number == 3


def test_the_turn_of_an_absent_player_names_the_host() -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    seating.free_seat(party.access(1), 1)
    waiting = view_seat(party.access(), seat=0).waiting
    assert waiting == "It is Ben’s turn. Ben has left: the host can go on for them."


# Undo --------------------------------------------------------------------------------------------


def undo(party: Party, player: int, request: str = "") -> None:
    acts.undo(party.access(player), player, request=request)


def test_undo_strikes_the_last_own_act_and_keeps_it_in_the_log() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "a2")
    undo(party, 0)
    assert [bool(sheet.dice) for sheet in party.game.sheets] == [False, True]
    assert Entry.objects.filter(table__code=party.code).count() == 3
    with pytest.raises(Refused, match="nothing-to-undo"):
        undo(party, 0)


def test_a_stale_act_out_of_turn_is_refused_by_the_rule() -> None:
    party = sit_down(level=TINY, dice="typed")
    moment = party.loaded.state.moment
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    with pytest.raises(RuleViolation) as refused:
        party.act("place", 1, "b1", die=2, moment=moment)
    assert refused.value.rule == "not-your-turn"
    with pytest.raises(Stale):
        party.act("place", 0, "b1", die=2, moment=moment)


def test_repeated_undo_requests_undo_one_act() -> None:
    party = sit_down(level=TINY)
    for at in ("b1", "c1", "d1"):
        request = party.act("place", 0, at)
    last = party.loaded.state.applied[-1]
    acts.undo(party.access(0), 0, entry=last, request="u1")
    for named in ({"entry": last}, {"of": request}, {"of": "refused-0000"}):
        with pytest.raises(Refused, match="no-such-entry"):
            acts.undo(party.access(0), 0, **named, request="u2")
    with pytest.raises(Stale):
        acts.undo(party.access(0), 0, entry=party.loaded.state.applied[0], request="u3")
    assert party.game.sheets[0].dice.bit_count() == 2
    party.done(0)
    length = party.access().table.length
    party.done(0)
    assert party.access().table.length == length


def test_the_end_of_a_pass_can_be_undone_for_some_seconds() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY | {"rounds": {"3": 2}})
    for player, at in enumerate(("b1", "a2", "b1")):
        party.act("place", player, at)
    party.done(1, 2, 0)
    assert party.game.pass_number == 2
    assert [view_seat(party.access(n)).just_ended is None for n in range(3)] == [False, True, True]
    for other in (1, 2):
        with pytest.raises(Refused, match="nothing-to-undo"):
            undo(party, other)
    acts.undo(party.access(0), 0, entry=view_seat(party.access(0)).undo_entry, request="")
    assert (party.game.pass_number, party.loaded.state.done) == (1, {1, 2})
    assert all(sheet.dice for sheet in party.game.sheets)
    # Dropping out ends it, too; after an act of another player, only a proposal leads back.
    party.act("drop", 0)
    assert party.game.pass_number == 2
    undo(party, 0)
    assert (party.game.pass_number, party.game.sheets[0].is_out) == (1, False)
    party.done(0)
    party.act("place", 1, party.game.level.names(targets(party.game.sheets[1]))[0])
    with pytest.raises(Refused, match="nothing-to-undo"):
        undo(party, 0)


def test_undo_of_a_refused_act_does_not_undo_the_end_of_the_pass() -> None:
    party = sit_down(level=TINY | {"rounds": {"2": 2}})
    party.act("place", 0, "b1")
    party.done(0, 1)
    assert party.game.pass_number == 2
    with pytest.raises(RuleViolation):
        party.act("place", 1, "a1", request="refused-0000")
    with pytest.raises(Refused, match="no-such-entry"):
        acts.undo(party.access(1), 1, of="refused-0000", request="u1")
    assert party.game.pass_number == 2


def test_an_act_decided_before_an_undo_is_stale() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    party.act("place", 1, "e4", die=3)
    moment = party.loaded.state.moment
    undo(party, 1)
    party.act("place", 1, "e6", die=3)
    with pytest.raises(Stale):
        party.act("place", 0, "d5", die=3, moment=moment)


def news_of(party: Party, player: int) -> str | None:
    """Return the news about proposals and the end of a pass on a player's phone."""
    answered = view_seat(party.access(player)).answered
    return answered.sentence if answered else None


def test_one_player_ends_the_pass_for_all_and_each_can_undo_it() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY | {"rounds": {"3": 2}})
    for player, at in enumerate(("b1", "a2", "b1")):
        party.act("place", player, at)
    party.done(1)
    moment = party.loaded.state.moment
    for request in ("all", "all"):
        acts.set_done(party.access(), 0, True, moment=moment, request=request, for_all=True)
    assert party.game.pass_number == 2
    assert not any(sheet.dice for sheet in party.game.sheets)
    assert news_of(party, 2) == "Ana has ended the pass for all."
    assert [news_of(party, player) for player in (0, 1)] == [None, None]
    # Cem was still placing; Ben had said himself that he was done.
    assert [view_seat(party.access(n)).just_ended is None for n in range(3)] == [False, True, False]
    undo(party, 2)
    assert [news_of(party, player) for player in range(3)] == [
        *["Cem has undone the end of the pass: it goes on."] * 2,
        None,
    ]
    assert (party.game.pass_number, party.loaded.state.done) == (1, {1})
    assert all(sheet.dice for sheet in party.game.sheets)
    said = [line.sentence for line in log_lines(party.access())]
    assert "Ana says that all are done" in said


def test_the_end_of_a_pass_cannot_be_undone_after_a_while() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.done(1, 0)
    Entry.objects.update(made=timezone.now() - acts.PASS_END_UNDO_TIME)
    assert view_seat(party.access(0)).undo_entry is None
    with pytest.raises(Refused, match="nothing-to-undo"):
        undo(party, 0)


@pytest.mark.parametrize("level", [TINY, SPACE, RAILS], ids=lambda level: level["id"])
@pytest.mark.parametrize("dice", ["table", "typed"])
def test_the_owner_undoes_the_last_act_of_any_pass(level: dict[str, object], dice: str) -> None:
    party = sit_down(level=level, dice=dice)
    random = Random(3)
    while party.game.pass_number == 1 and party.game.phase != "finished":
        before = party.game
        move = random_move(before, random, random_choice(random), random.random() < 0.7)
        if move.do == "end_pass":
            party.done(0)
            party.done(1)
            player = 1
        else:
            player = before.start_player if move.player < 0 else move.player
            facts = {"die": move.die, "dice": move.dice, "shape": move.shape}
            party.act(move.do, move.player, move.at, by=player, **facts)
        if party.game.passes_done > before.passes_done:
            undo(party, player)
            assert party.game == before
            break
    else:
        pytest.fail("the pass never ended")


def test_acts_on_which_later_ones_depend_cannot_be_undone() -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    party.act("place", 1, "a2", die=5)
    with pytest.raises(Refused, match="others-acted"):
        undo(party, 0)
    undo(party, 1)
    undo(party, 0)
    assert party.game.player == 0


def test_rolls_of_the_app_cannot_be_undone() -> None:
    party = sit_down(level=TINY, dice="rolled")
    party.act("roll", by=0)
    with pytest.raises(Refused, match="nothing-to-undo"):
        undo(party, 0)


def throw_in_turn(monkeypatch: pytest.MonkeyPatch, *dice: int) -> None:
    """Make the app throw these dice, over and over."""
    thrown = itertools.cycle(dice)
    let_app_throw(monkeypatch, lambda: next(thrown))


def test_undo_includes_later_moves_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    throw_in_turn(monkeypatch, 2, 5, 2, 5)
    party = sit_down(level=TINY, dice="rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.seat_bot(party.access(), 1, "greedy")
    acts.start(party.access())
    party.act("roll", by=0)
    before = party.game
    party.act("place", 0, "b1")
    assert party.game.sheets[1].dice
    assert view_seat(party.access(), seat=0).can_undo
    undo(party, 0)
    assert party.game == before


def test_undo_includes_later_acts_of_other_seats_of_the_device() -> None:
    party = sit_down(level=TINY, dice="typed", start=False)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(party.access(), 1, "Ben", party.tokens[0])
    acts.start(party.access())
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    before = party.game
    party.act("place", 0, "b1", die=2)
    party.act("place", 1, "a2", die=5, by=0)
    undo(party, 0)
    assert party.game == before


def test_an_act_before_a_roll_of_the_app_cannot_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    throw_in_turn(monkeypatch, 2, 4, 4, 4, 4, 4, 4)
    party = sit_down(level=TINY, dice="rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(party.access(), 1, "Ben", party.tokens[0])
    acts.start(party.access())
    party.act("roll", by=0)
    party.act("place", 0, "b1")
    party.act("reroll", 1, by=0)
    view = view_seat(party.access(), seat=0)
    assert not view.can_undo
    assert view.proposes_from == 2
    with pytest.raises(Refused, match="others-acted"):
        undo(party, 0)


def test_going_back_alone_brings_the_same_dice_again() -> None:
    party = sit_down(("Ana",), level=TINY, dice="rolled")
    party.act("roll", by=0)
    thrown = party.game.pool
    for _ in range(6):
        propose_back(party, 0, party.loaded.state.applied[0])
        assert not party.game.pool
        party.act("roll", by=0)
        assert party.game.pool == thrown


def propose_back(party: Party, player: int, to: int) -> None:
    acts.propose(party.access(player), player, to, request="")


def answer(party: Party, player: int, agrees: bool) -> None:
    """Answer the proposal that a player sees."""
    waiting = party.loaded.state.proposal
    number = waiting.number if waiting else 1
    acts.answer(party.access(player), agrees, proposal=number, request="")


def decide_alone(party: Party, player: int) -> None:
    acts.decide_alone(party.access(player), proposal=party.loaded.state.proposal.number, request="")


def test_all_agree_and_the_table_goes_back() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "a2")
    propose_back(party, 2, 1)
    answer(party, 0, True)
    assert party.game.sheets[0].dice
    answer(party, 1, True)
    assert not any(sheet.dice for sheet in party.game.sheets)
    assert party.loaded.state.proposal is None
    assert party.loaded.state.struck >= {1, 2}


def test_the_others_have_agreed_when_a_device_with_two_seats_leaves() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, start=False)
    seating.free_seat(party.access(2), 2)
    seating.take_seat(find_access(party.code), 2, "Cem", party.tokens[1])
    acts.start(party.access())
    party.act("place", 0, "b1")
    propose_back(party, 0, 1)
    seating.free_all_seats(party.tokens[1])
    assert party.loaded.state.proposal is None
    assert not party.game.sheets[0].dice


def test_one_no_ends_a_proposal() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    propose_back(party, 1, 1)
    answer(party, 2, False)
    assert party.loaded.state.proposal is None
    assert party.game.sheets[0].dice
    with pytest.raises(Refused, match="no-proposal"):
        answer(party, 0, True)


def test_an_answer_to_an_older_proposal_does_nothing() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    party.act("place", 1, "a2")
    propose_back(party, 2, 2)
    first = party.loaded.state.proposal.number
    answer(party, 0, False)
    propose_back(party, 2, 1)
    answer(party, 0, True)
    late = partial(acts.answer, party.access(1), True, request="")
    for number in (first, None):
        with pytest.raises(Refused, match="old-proposal"):
            late(proposal=number)
    assert party.game.sheets[1].dice
    late(proposal=party.loaded.state.proposal.number)
    assert not party.game.sheets[1].dice
    with pytest.raises(Refused, match="no-proposal"):
        late(proposal=first)


def test_all_devices_show_a_proposal_its_missing_answers_and_its_outcome() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    for at in ("b1", "c1", "d1", "e1"):
        party.act("place", 0, at)
    for at in ("a2", "a3", "b3", "c3"):
        party.act("place", 1, at)

    def seen(player: int) -> proposals.OpenProposal:
        found = view_seat(party.access(player)).proposal
        assert found
        return found

    propose_back(party, 2, 1)
    assert [seen(player).missing for player in range(3)] == ["Ana and Ben"] * 3
    assert seen(0).gone[0] == "Ben: 1 on c3"
    assert (len(seen(0).gone), seen(0).more) == (6, 2)
    answer(party, 0, True)
    assert seen(2).missing == "Ben"
    answer(party, 1, False)
    told = [told_of(party, player) for player in range(3)]
    assert told == ["Ben said no to the proposal of Cem: everything stays as it is."] * 3
    propose_back(party, 2, 8)
    assert told_of(party, 0) == ""
    answer(party, 2, False)
    assert told_of(party, 0).startswith("Cem has withdrawn the proposal")
    propose_back(party, 2, 8)
    answer(party, 0, True)
    answer(party, 1, True)
    back = "the game stands before “Ben: 1 on c3” again."
    assert told_of(party, 0) == f"All agreed with Cem: {back}"
    party.done(0)
    assert told_of(party, 1)
    propose_back(party, 1, 7)
    number = party.loaded.state.proposal.number
    acts.start_countdown(party.access(0), proposal=number, request="")
    Entry.objects.update(made=timezone.now() - countdowns.COUNTDOWN)
    decide_alone(party, 0)
    assert told_of(party, 2).startswith("Ana has decided it: the game stands")


def told_of(party: Party, player: int) -> str:
    told = view_seat(party.access(player)).answered
    return told.sentence if told else ""


def test_the_outcome_of_a_proposal_is_shown_until_the_reader_has_acted_often() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 0, "b1")
    propose_back(party, 0, 1)
    answer(party, 1, False)

    def on_and_off(player: int, times: int) -> None:
        for _ in range(times):
            party.done(player)
            moment = party.loaded.state.moment
            acts.set_done(party.access(player), player, False, moment=moment, request="")

    # Others may act, take back and act again as often as they like.
    on_and_off(0, 10)
    party.act("place", 0, "c1")
    acts.undo(party.access(0), 0)
    assert told_of(party, 0) == ""
    assert told_of(party, 1)
    assert told_of(party, 2)
    # A watcher, or the big screen, has seen it when much has happened at all.
    watching = find_access(party.code)
    assert proposals.view_outcome(watching, party.loaded, party.game.level) is None
    on_and_off(2, 5)
    assert told_of(party, 2)
    on_and_off(2, 1)
    assert told_of(party, 2) == ""
    # Who sits alone has asked nobody.
    alone = sit_down(("Ana",), TINY)
    alone.act("place", 0, "b1")
    propose_back(alone, 0, 1)
    assert not alone.game.sheets[0].dice
    assert told_of(alone, 0) == ""


def test_a_proposal_goes_back_over_the_end_of_a_pass() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.done(0, 1)
    number = next(
        e.number
        for e in Entry.objects.filter(table__code=party.code)
        if e.action["do"] == "end_pass"
    )
    propose_back(party, 1, number)
    answer(party, 0, True)
    assert party.game.pass_number == 1
    assert party.game.sheets[0].dice


def test_a_proposal_to_go_back_to_no_entry_is_refused() -> None:
    party = sit_down(level=TINY)
    with pytest.raises(Refused, match="no-such-entry"):
        propose_back(party, 0, 1)


# Strangers, and people who leave -----------------------------------------------------------------


def test_players_cannot_act_for_other_seats() -> None:
    party = sit_down(level=TINY)
    other = sit_down(level=TINY)
    with pytest.raises(NotYours):
        party.act("place", 0, "b1", by=1)
    stranger = find_access(party.code, other.tokens[0])
    assert stranger.seats == frozenset()
    for token in ("", "x", party.tokens[0][:-1], other.tokens[1]):
        access = find_access(party.code, token)
        with pytest.raises(NotYours):
            acts.act(access, Action("place", 0, "b1"), moment="1-open", request="")
        with pytest.raises(NotYours):
            acts.answer(access, True, proposal=1, request="")
        with pytest.raises(NotYours):
            acts.undo(access, 0, request="")


def test_only_host_or_owner_can_free_a_seat() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    with pytest.raises(NotYours):
        seating.free_seat(party.access(1), 2)
    with pytest.raises(NotYours):
        seating.free_seat(party.access(1), 0)
    seating.free_seat(party.access(2), 2)
    assert party.access().people == {0, 1}


def test_a_device_without_its_seat_cannot_act_with_an_old_access() -> None:
    party = sit_down(level=TINY)
    old = party.access(1)
    seating.free_seat(party.access(1), 1)
    with pytest.raises(NotYours):
        acts.act(old, Action("place", 1, "b1"), moment="1-open", request="")
    token = new_token()
    seating.take_seat(find_access(party.code), 1, "Cem", token)
    acts.act(
        find_access(party.code, token),
        Action("place", 1, "b1"),
        moment="1-open",
        request="",
    )
    assert party.game.players == ("Ana", "Cem")
    assert party.game.sheets[1].dice


def test_a_personal_link_moves_the_seat_once_it_is_the_newest() -> None:
    party = sit_down(level=TINY)
    first = seating.new_rescue_key(party.access(1), 1)
    second = seating.new_rescue_key(party.access(1), 1)
    phone = new_token()
    with pytest.raises(seating.SeatTaken):
        seating.move_seat(party.code, first, phone)
    assert seating.move_seat(party.code, second, phone) == 1
    assert party.access(1).seats == frozenset()
    assert find_access(party.code, phone).seats == {1}
    with pytest.raises(NotYours):
        seating.new_rescue_key(party.access(0), 1)


# Dice and bots -----------------------------------------------------------------------------------


def test_players_cannot_choose_the_apps_dice() -> None:
    party = sit_down(level=TINY, dice="rolled")
    wished = (6,) * party.game.dice_to_roll
    rolls = set()
    for _ in range(4):
        party.act("roll", by=0, dice=wished)
        rolls.add(tuple(Entry.objects.filter(table__code=party.code).last().action["dice"]))
        party = sit_down(level=TINY, dice="rolled")
    assert rolls != {wished}
    assert all(len(roll) == len(wished) for roll in rolls)


def test_bots_play_automatically_until_a_person_is_asked() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY, dice="rolled", start=False)
    for number in (1, 2):
        seating.free_seat(party.access(number), number)
        seating.seat_bot(party.access(), number, "greedy")
    acts.start(party.access())
    for _ in range(60):
        game = party.game
        if game.phase == "finished":
            break
        if game.phase == "roll":
            assert game.start_player == 0
            party.act("roll", by=0)
        elif game.phase == "return":
            party.act("return", 0, game.level.names(game.sheets[0].dice)[0])
        elif "drop" in game.may():
            party.act("drop", 0)
        else:
            assert game.player == 0
            die, fields = next((d, f) for d, f in game.legal().items() if f)
            party.act("place", 0, fields[0], die=die)
    assert party.game.phase == "finished"


def test_bots_sit_only_where_the_app_rolls() -> None:
    party = sit_down(level=TINY, start=False)
    seating.free_seat(party.access(1), 1)
    with pytest.raises(ValueError, match="no such bot"):
        seating.seat_bot(party.access(), 1, "greedy")


def test_extra_dice_of_a_solo_game_roll_automatically() -> None:
    party = sit_down(("Ana",), TINY, dice="rolled")
    party.act("roll", by=0)
    game = party.game
    if "place" in game.may():
        die, fields = next((d, f) for d, f in game.legal().items() if f)
        party.act("place", 0, fields[0], die=die)
    assert party.game.phase != "extra"


# What levels add ---------------------------------------------------------------------------------


def test_a_rocket_waits_for_its_planet() -> None:
    party = sit_down(level=SPACE)
    party.act("place", 0, "b1")
    party.done(0, 1)
    assert party.game.phase == "marking"
    party.act("rocket", 0, "e1")
    assert crosses(party, 0) == ["b1", "e1"]
    (end,) = party.loaded.state.pass_ends
    assert [effect.rule for effect in story_of(end)] == ["cross-dice", "rocket"]


def test_lava_is_chosen_before_dice_come() -> None:
    party = sit_down(level=VOLCANO)
    party.act("erupt", by=0, die=6)
    assert party.game.phase == "lava"
    with pytest.raises(RuleViolation, match="not-now"):
        party.act("place", 0, "b1")
    party.act("lava", 0, "b2")
    party.act("lava", 1, "b2")
    assert party.game.phase == "open"
    assert party.game.sheets[0].lava == party.game.level.mask(["b2"])


def test_dice_leave_tracks_of_the_shape_chosen() -> None:
    party = sit_down(level=RAILS)
    party.act("place", 0, "b1")
    party.act("place", 1, "a2")
    party.done(0, 1)
    party.act("track", 1, "a2", shape="NE")
    assert party.game.phase == "marking"
    party.act("track", 0, "b1", shape="EW")
    level = party.game.level
    assert party.game.sheets[0].tracks[level.index["b1"]] == "EW"
    assert party.game.pass_number == 2


@pytest.mark.parametrize("dice", ["table", "typed"])
@pytest.mark.parametrize("level", [f"level-{n}" for n in range(1, 9)])
def test_a_full_game_on_every_shipped_level_makes_a_valid_document(level: str, dice: str) -> None:
    party = sit_down(("Ana", "Ben"), level, dice)
    play_on(party, Random(f"{level} {dice}"), 3)
    document = format_game(event_loader.record_of(party.access()))
    record = parse_game(document, lambda _: party.game.level)
    game, applied, violation = replay_actions(record.start(), record.actions)
    assert violation is None
    assert applied == len(document["actions"])
    assert game.scores() == party.game.scores()


# Underneath --------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_the_state_follows_from_the_log_alone() -> None:
    party = sit_down(level="level-4")
    play_pass(party, Random(5))
    known = party.loaded.state
    event_loader._cache.clear()
    assert party.loaded.state == known


def test_every_change_raises_the_revision() -> None:
    party = sit_down(level=TINY)
    revisions = [party.access().table.revision]
    for change in (
        lambda: party.act("place", 0, "b1"),
        lambda: party.done(0),
        lambda: seating.rename(party.access(1), 1, "Bea"),
        lambda: seating.free_seat(party.access(1), 1),
    ):
        change()
        revisions.append(party.access().table.revision)
    assert revisions == sorted(set(revisions))


def test_markup_in_names_stays_text() -> None:
    party = sit_down(("<b>Ana</b>", "Ben & Co"), TINY)
    assert party.game.players == ("<b>Ana</b>", "Ben & Co")


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_simultaneous_moves_of_different_seats_are_all_accepted() -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dan"), TINY | {"rounds": {"4": 2}})

    def run(player: int) -> None:
        for at in ("b1", "c1", "d1", "e1"):
            party.act("place", player, at)

    assert run_at_once(*(partial(run, player) for player in range(4))) == []
    assert [sheet.dice.bit_count() for sheet in party.game.sheets] == [4, 4, 4, 4]
    table = Table.objects.get(code=party.code)
    assert table.length == 16
    assert list(table.entries.values_list("number", flat=True)) == list(range(1, 17))


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_one_request_sent_by_two_connections_at_once_is_applied_once() -> None:
    party = sit_down(level=TINY)
    act = partial(party.act, "place", 0, "b1", request="the-same-one", moment="1-open")
    assert run_at_once(act, act, act) == []
    assert Table.objects.get(code=party.code).length == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_again_sent_by_several_connections_at_once_opens_one_table() -> None:
    party = sit_down(level=TINY)
    access, opened = party.access(), list[str]()
    assert run_at_once(*[lambda: opened.append(seating.open_rematch(access))] * 4) == []
    assert len(set(opened)) == 1
    assert Table.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_a_failed_write_leaves_nothing_of_the_act() -> None:
    party = sit_down(level=TINY)
    table = Table.objects.get(code=party.code)
    in_the_way = Entry.objects.create(table=table, number=1, action={})
    with pytest.raises(Stale):
        party.act("place", 0, "b1")
    table.refresh_from_db()
    assert (table.length, table.entries.count()) == (0, 1)
    assert not transaction.get_connection().in_atomic_block
    in_the_way.delete()
    party.act("place", 0, "b1")
    assert party.game.sheets[0].dice
