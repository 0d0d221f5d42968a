"""Tests of hints: permission, answers, visibility and counts."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import count, cycle
from time import monotonic
from typing import Any

import pytest
from django.test import Client

from sheets.bots.expert_bot import ExpertBot
from sheets.models import Table
from sheets.rules import Action
from sheets.tables import acts, background_bots, event_loader, seating
from sheets.tables.access import NotYours, Refused, Stale, find_access
from sheets.tables.event_writer import play_on
from sheets.tables.hints import count_hints
from tests.app_dice import let_app_throw
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import RAILS, SPACE, TINY, VOLCANO, Party, sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

NOW = timedelta()
BUTTON = "What would the hard bot do?"
THINKS = "The hard bot is thinking …"
ids = count()


@pytest.fixture(autouse=True)
def every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put every number into the pool, so that each player can place and no one rerolls."""
    numbers = cycle(range(1, 7))
    let_app_throw(monkeypatch, lambda: next(numbers))


def party_with_hints(*names: str, level: Any = TINY, dice: str = "rolled") -> Party:
    """Return a table with hints at which Ana, who starts, has rolled."""
    party = sit_down(names or ("Ana", "Ben"), level, dice, start=False)
    seating.allow_hints(party.access(), True)
    acts.start(party.access())
    if party.game.phase == "roll":
        thrown = [1, 2, 3, 4, 5, 6] * 2
        dice_typed = tuple(thrown[: party.game.dice_to_roll]) if dice == "typed" else ()
        party.act("roll", by=0, dice=dice_typed)
    return party


def ask(party: Party, player: int = 0, by: int | None = None, moment: str = "") -> None:
    device = player if by is None else by
    moment = moment or party.loaded.state.moment
    acts.ask_hint(party.access(device), player, moment=moment, request=f"ask-{next(ids):06}")


def place(party: Party, player: int = 0) -> None:
    """Place a die on any legal field."""
    die, fields = next((d, f) for d, f in party.game.legal().items() if f)
    party.act("place", player, fields[0], die=die)


def hint_count(party: Party, player: int = 0) -> int:
    return count_hints(party.loaded.state, player)


def page(party: Party, player: int = 0, path: str = "", language: str = "en") -> str:
    client = client_of(party, player, language)
    return unmarked(client.get(f"/table/{party.code}/{path}"))


def now(party: Party, player: int = 0) -> dict[str, Any]:
    answer = client_of(party, player).get(f"/table/{party.code}/", headers=FROM_SCRIPT)
    return state_in(answer.content.decode())


# Before the game ---------------------------------------------------------------------------------


def test_hints_are_off_until_the_host_allows_them_and_all_players_see_it() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    assert not party.access().table.has_advice
    assert "No hints" in page(party, 1)
    url, revision = f"/table/{party.code}/hints/", party.access().table.revision
    assert client_of(party).post(url, {"allow": "yes"}).status_code == 302
    assert party.access().table.revision > revision
    assert "Hints are allowed" in page(party, 1)
    assert "dice rolled by the app, hints allowed" in page(party, 1)
    assert 'name="allow"' in page(party, 0)
    assert 'name="allow"' not in page(party, 1)
    assert client_of(party).post(url, {"allow": "no"}).status_code == 302
    assert "No hints" in page(party, 1)


def test_only_the_host_allows_hints() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    url = f"/table/{party.code}/hints/"
    for client in (client_of(party, 1), Client()):
        assert client.post(url, {"allow": "yes"}).status_code == 403
    assert client_of(party).post(url, {"allow": "perhaps"}).status_code == 400
    assert not party.access().table.has_advice


@pytest.mark.parametrize("was_allowed", [True, False])
def test_hint_setting_is_fixed_when_the_game_begins(was_allowed: bool) -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    seating.allow_hints(party.access(), was_allowed)
    acts.start(party.access())
    revision = party.access().table.revision
    sent = {"allow": "no" if was_allowed else "yes"}
    answer = client_of(party).post(f"/table/{party.code}/hints/", sent)
    assert answer.status_code == 409
    assert "The game has begun: you can no longer allow or forbid hints." in answer.content.decode()
    assert party.access().table.has_advice is was_allowed
    assert party.access().table.revision == revision


def test_host_reads_why_mirrored_tables_and_dice2_have_no_hints() -> None:
    mirrored = sit_down(("Ana", "Ben"), TINY, "table", start=False)
    dice2 = sit_down_for("major", ("Ana", "Ben"), dice="rolled", start=False)
    for party, why in ((mirrored, "no hints with real dice"), (dice2, "Dice² has no hin")):
        assert "hints-title" not in page(party)
        answer = client_of(party).post(f"/table/{party.code}/hints/", {"allow": "yes"})
        assert answer.status_code == 409
        assert why in answer.content.decode()
        assert not party.access().table.has_advice


@pytest.mark.parametrize(
    ("sent", "allowed"),
    [
        ({"players": "1", "dice": "rolled", "hints": "on"}, True),
        ({"players": "2", "dice": "typed", "hints": "on"}, True),
        ({"players": "2", "dice": "rolled", "bots": "player", "hints": "on"}, True),
        ({"players": "2", "dice": "table", "hints": "on"}, False),
        ({"players": "1", "dice": "rolled"}, False),
    ],
)
def test_form_for_a_new_table_allows_or_forbids_hints(sent: dict[str, str], allowed: bool) -> None:
    made = Client().post("/table/new/", {"level": "level-1", "name": "Ana", **sent})
    access = find_access(made["Location"].split("/")[2])
    assert access.table.has_advice is allowed


def test_a_rematch_keeps_the_hint_setting() -> None:
    party = party_with_hints()
    code = seating.open_rematch(party.access())
    assert find_access(code).table.has_advice
    plain = sit_down(("Ana", "Ben"), TINY, "rolled")
    assert not find_access(seating.open_rematch(plain.access())).table.has_advice


# Asking ------------------------------------------------------------------------------------------


def test_hint_is_computed_in_the_background_for_one_seat_and_plays_nothing() -> None:
    party = party_with_hints()
    before = party.game
    assert BUTTON in page(party)
    ask(party)
    assert THINKS in page(party)
    assert BUTTON not in page(party)
    assert play_on(party.code, NOW) is None
    answer, *_more = party.loaded.state.hint_requests[-1].answer
    assert party.game == before
    die = party.game.level.numbers[party.game.level.index[answer.at]]
    sentence = f"The hard bot would put the {die} on {answer.at}."
    assert sentence in page(party)
    for other in (page(party, 1), Client().get(f"/table/{party.code}/").content.decode()):
        assert sentence not in other
        assert not set(re.findall(r'data-hint="(\w+) advised"', other))
    assert now(party)["hints"][answer.at] == "strong advised"
    number = party.loaded.state.hint_requests[-1].number
    assert [f"advice {number} {answer.at}", sentence] in now(party)["heard"]
    assert set(now(party, 1)["hints"].values()) <= {"faint"}
    assert 'data-hint="strong advised"' in page(party)
    assert sentence in now(party)["parts"]["_bar"]


def test_hint_is_the_move_that_the_hard_bot_would_play(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_of: list[tuple[Any, int]] = []

    def think(_self: ExpertBot, game: Any, player: int) -> list[Action]:
        asked_of.append((game, player))
        return [Action("place", player, "b1", 2)]

    monkeypatch.setattr(ExpertBot, "think", think)
    party = party_with_hints()
    ask(party)
    play_on(party.code, NOW)
    assert asked_of == [(party.game, 0)]
    assert "The hard bot would put the 2 on b1." in page(party)


def test_all_players_see_how_often_each_player_asked() -> None:
    party = party_with_hints()
    assert ">1 hint<" not in page(party, 1)
    for looker in (page(party, 1), page(party, path="screen/")):
        assert "Hints on" in looker
    ask(party)
    assert hint_count(party) == 1
    for looker in (page(party), page(party, 1), page(party, path="screen/")):
        assert ">1 hint<" in looker
    assert "</b> · <small>1 hint<" in page(party, 1)
    assert "Ana asks what the hard bot would do" in page(party, 1, "log/")
    play_on(party.code, NOW)
    place(party)
    place(party, 1)
    ask(party)
    assert ">2 hints<" in page(party, 1)
    assert "2 Tipps" in page(party, 1, language="de")


def test_with_many_players_only_the_count_is_shown_and_the_sentence_read_aloud() -> None:
    party = party_with_hints("Ana", "Ben", "Cem")
    ask(party)
    shown = now(party, 2)["parts"]["_people"]
    assert "<small>?1</small>" in shown
    assert "Ana</bdi>, 0 points, 1 hint, to move</span>" in shown


def test_a_repeated_request_counts_once_and_shows_the_same_answer() -> None:
    party = party_with_hints()
    client, state = client_of(party), party.loaded.state
    sent = {"player": "0", "moment": state.moment}
    for request in ("ask-first", "ask-first", "ask-second"):
        answer = client.post(f"/table/{party.code}/ask/", {**sent, "request": request})
        assert answer.status_code == 302
    length = party.access().table.length
    assert length == 2  # the roll, and one request
    play_on(party.code, NOW)
    answer = party.loaded.state.hint_requests[-1].answer
    client.post(f"/table/{party.code}/ask/", {**sent, "request": "ask-third"})
    play_on(party.code, NOW)
    assert hint_count(party) == 1
    assert party.access().table.length == length + 1
    assert party.loaded.state.hint_requests[-1].answer == answer


def test_two_simultaneous_requests_for_one_seat_make_one_entry() -> None:
    party = party_with_hints()
    stale = party.access()
    ask(party)
    acts.ask_hint(stale, 0, moment=party.loaded.state.moment, request="ask-late")
    assert hint_count(party) == 1


def test_undo_keeps_the_count_and_shows_the_earlier_answer_again() -> None:
    party = party_with_hints()
    ask(party)
    play_on(party.code, NOW)
    shown = now(party)["parts"]["_bar"]
    assert "The hard bot would" in shown
    for _ in range(2):  # the number of the act is another one each time
        place(party)
        assert "The hard bot would" not in now(party)["parts"]["_bar"]
        acts.undo(party.access(), 0)
        assert "The hard bot would" in now(party)["parts"]["_bar"]
        assert BUTTON not in now(party)["parts"]["_bar"]
    assert hint_count(party) == 1
    acts.propose(party.access(), 0, 1, request="propose-1")
    acts.answer(
        party.access(1), True, proposal=party.loaded.state.proposal.number, request="agree-01"
    )
    assert party.game.phase == "roll"
    assert hint_count(party) == 1
    assert "The hard bot would" not in now(party)["parts"]["_bar"]


def test_an_answer_to_a_past_position_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    party = party_with_hints()
    ask(party)
    think = background_bots.think

    def meanwhile(*args: Any) -> Action | None:
        place(party)
        return think(*args)

    monkeypatch.setattr(background_bots, "think", meanwhile)
    length = party.access().table.length
    assert play_on(party.code, NOW) is None
    assert party.access().table.length == length + 1  # the die alone
    assert party.loaded.state.hint_requests[-1].answer == ()
    assert hint_count(party) == 1
    for player in (0, 1):
        assert "The hard bot would" not in now(party, player)["parts"]["_bar"]
    assert play_on(party.code, NOW) is None
    assert party.access().table.length == length + 1


def test_a_player_who_undoes_an_early_move_gets_the_answer_then() -> None:
    party = party_with_hints()
    ask(party)
    place(party)
    acts.undo(party.access(), 0)
    assert THINKS in page(party)
    play_on(party.code, NOW)
    assert "The hard bot would" in page(party)
    assert hint_count(party) == 1


def test_a_table_without_cache_knows_all_requests() -> None:
    party = party_with_hints()
    ask(party)
    play_on(party.code, NOW)
    shown = page(party)
    event_loader._cache.clear()
    assert hint_count(party) == 1
    assert "The hard bot would" in shown
    assert "The hard bot would" in page(party)


def test_an_open_request_is_answered_by_the_next_server_that_shows_the_table() -> None:
    party = party_with_hints()
    ask(party)
    left = play_on(party.code, background_bots.PATIENCE)
    assert left is not None
    assert NOW < left <= background_bots.PATIENCE
    assert THINKS in page(party)
    assert play_on(party.code, NOW) is None
    assert "The hard bot would" in page(party)


def test_a_failed_request_does_not_count_and_can_be_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_args: Any) -> Action:
        raise RuntimeError

    party = party_with_hints()
    ask(party)
    with monkeypatch.context() as broken:
        broken.setattr(ExpertBot, "think", fail)
        play_on(party.code, NOW)
    assert hint_count(party) == 0
    assert "No answer came. It does not count as a hint." in page(party)
    assert play_on(party.code, NOW) is None
    assert hint_count(party) == 0  # nobody thinks about it any more
    ask(party)
    play_on(party.code, NOW)
    assert hint_count(party) == 1
    assert "The hard bot would" in page(party)


def test_hints_are_computed_while_hard_bots_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    party = party_with_hints()
    ask(party)
    monkeypatch.setattr(background_bots._rest, "until", monotonic() + 60)
    play_on(party.code, NOW)
    assert "The hard bot would" in page(party)
    assert hint_count(party) == 1


def test_asking_stops_a_countdown_of_the_host() -> None:
    party = party_with_hints()
    place(party)
    moment = party.loaded.state.moment
    acts.start_countdown(
        party.access(), moment=moment, frees=None, proposal=None, request="hurry-01"
    )
    assert party.loaded.state.countdown
    ask(party, 1)
    assert not party.loaded.state.countdown


def test_end_of_a_pass_can_be_undone_after_a_request() -> None:
    party = party_with_hints(level=SPACE)
    player = until(party, "rocket")
    ended = party.loaded.entries[-1]["player"]
    ask(party, player)
    play_on(party.code, NOW)
    acts.undo(party.access(ended), ended)
    assert party.game.phase != "marking"
    assert hint_count(party, player) == 1


# Each kind of choice -----------------------------------------------------------------------------


def until(party: Party, what: str) -> int:
    """Play until a player is asked for a kind of act; return the player."""
    for _ in range(200):
        game = party.game
        owed = game.pending()
        for one in owed:
            if one.do == what:
                return one.player
        player = game.start_player if game.player is None else game.player
        if game.phase in ("roll", "erupt", "extra"):
            party.act(game.phase, by=player)
        elif owed:
            shape = "NS" if owed[0].do == "track" else ""
            party.act(owed[0].do, owed[0].player, owed[0].at[0], shape=shape)
        elif game.phase == "return":
            party.act("return", player, game.level.names(game.sheets[player].dice)[0])
        elif "drop" not in game.may():
            place(party, player)
        elif what == "reroll":
            return player
        else:
            party.act("drop", player)
        if party.game.is_finished:
            return -1
    raise AssertionError(what)


@pytest.mark.parametrize(
    ("what", "level", "says"),
    [
        ("lava", VOLCANO, "The hard bot would give {at} to the lava."),
        ("rocket", SPACE, "The hard bot would fly to the planet on {at}."),
        ("track", RAILS, "The hard bot would draw on {at}: track from"),
    ],
)
def test_hint_for_every_kind_of_choice_is_written_and_marked(
    what: str, level: Any, says: str
) -> None:
    party = party_with_hints(level=level)
    player = until(party, what)
    ask(party, player)
    play_on(party.code, NOW)
    answer, *_more = party.loaded.state.hint_requests[-1].answer
    assert answer.do == what
    shown = page(party, player)
    assert says.format(at=answer.at) in shown
    assert now(party, player)["hints"][answer.at] == "strong advised"
    if what == "track":
        bar = now(party, player)["parts"]["_bar"]
        assert bar.count("advised") == 1
        assert f'value="{answer.shape}"' in bar.partition("advised")[2].partition(">")[0]


def test_one_request_covers_all_owed_tracks_in_any_order() -> None:
    party = party_with_hints(level=RAILS)
    while party.game.phase != "marking" and not party.game.is_finished:
        if "drop" in party.game.may() and any(party.game.legal().values()):
            place(party, party.game.player or 0)
        else:
            until(party, "track")
    player = next(p for p, owed in enumerate(party.game.owed) if owed.bit_count() > 1)
    ask(party, player)
    play_on(party.code, NOW)
    pieces = party.loaded.state.hint_requests[-1].answer
    assert len(pieces) == party.game.owed[player].bit_count()
    shown = now(party, player)
    marks = [shown["hints"][piece.at] for piece in pieces]
    assert marks == ["strong advised", *["faint"] * (len(pieces) - 1)]
    assert f"The hard bot would draw on {pieces[0].at}: track from" in shown["parts"]["_bar"]
    for piece in (pieces[-1], *pieces[:-2]):
        party.act("track", player, piece.at, shape=piece.shape)
        shown = now(party, player)
        assert "advised" not in shown["hints"].get(piece.at, "")
    assert f"The hard bot would draw on {pieces[-2].at}: track from" in shown["parts"]["_bar"]
    assert hint_count(party, player) == 1
    for _ in pieces[1:]:
        acts.undo(party.access(player), player)
    last = pieces[-1]
    other = next(shape for shape in ("NS", "EW") if shape != last.shape)
    party.act("track", player, last.at, shape=other)
    assert "The hard bot would draw" not in now(party, player)["parts"]["_bar"]
    assert BUTTON in now(party, player)["parts"]["_bar"]


def test_hints_to_reroll_or_drop_out_are_written_and_marked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_app_throw(monkeypatch, lambda: 6)
    party = party_with_hints()
    player = until(party, "reroll")
    ask(party, player)
    play_on(party.code, NOW)
    answer, *_more = party.loaded.state.hint_requests[-1].answer
    words = {
        "reroll": "The hard bot would reroll the pool.",
        "drop": "would drop out of this pass.",
    }
    assert words[answer.do] in page(party, player)
    bar = now(party, player)["parts"]["_bar"]
    assert f'value="{answer.do}"' in bar.partition("advised")[2].partition(">")[0]


def test_choices_of_others_keep_a_request_open_in_simultaneous_phases() -> None:
    party = party_with_hints(level=VOLCANO)
    until(party, "lava")
    owed = party.game.pending()
    assert len(owed) == 2
    ask(party, owed[0].player)
    play_on(party.code, NOW)
    party.act("lava", owed[1].player, owed[1].at[0])
    if party.game.phase == "lava":
        assert "The hard bot would give" in page(party, owed[0].player)
        assert hint_count(party, owed[0].player) == 1


def test_hard_bot_knows_typed_dice() -> None:
    party = party_with_hints(dice="typed")
    ask(party)
    play_on(party.code, NOW)
    assert "The hard bot would put the" in page(party)


def test_a_player_alone_or_against_a_hard_bot_can_ask() -> None:
    party = sit_down(("Ana", "Bot"), TINY, "rolled", start=False)
    seating.allow_hints(party.access(), True)
    seating.free_seat(party.access(), 1)
    seating.seat_bot(party.access(), 1, "expert")
    acts.start(party.access())
    party.act("roll", by=0)
    ask(party)
    play_on(party.code, NOW)
    assert "The hard bot would" in page(party)
    place(party)
    play_on(party.code, NOW)
    assert party.game.sheets[1].dice
    assert BUTTON in page(party)


# Refusals ----------------------------------------------------------------------------------------


def refused(party: Party, client: Client, player: int = 0, **more: str) -> tuple[int, str]:
    """Ask as the page's script does; return the status and the reason."""
    length = party.access().table.length
    sent = {"player": str(player), "request": f"ask-{next(ids):06}"}
    if party.access().table.has_started:
        sent["moment"] = party.loaded.state.moment
    url = f"/table/{party.code}/ask/"
    answer = client.post(url, {**sent, **more}, headers=FROM_SCRIPT)
    assert party.access().table.length == length
    return answer.status_code, state_in(unmarked(answer))["refusal"]["sentence"]


def test_a_table_without_hints_refuses_requests() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled")
    party.act("roll", by=0)
    why = "This table has no hints: nobody allowed them before the game."
    assert refused(party, client_of(party)) == (409, why)
    assert BUTTON not in page(party)
    assert "Hints on" not in page(party)
    assert "hints allowed" not in page(party)


def test_only_the_seats_own_device_can_ask() -> None:
    party = party_with_hints()
    why = "This phone no longer has that seat."
    for client in (Client(), client_of(party, 1)):
        assert refused(party, client) == (403, why)
    assert BUTTON not in Client().get(f"/table/{party.code}/").content.decode()
    assert "disabled" in page(party, 1).partition(BUTTON)[0].rpartition("<button")[2]


def test_a_player_without_a_decision_cannot_ask() -> None:
    party = party_with_hints()
    why = "You can ask for a hint when you have something to decide."
    assert refused(party, client_of(party, 1), 1) == (409, why)


def test_a_request_about_a_past_turn_is_stale() -> None:
    party = party_with_hints()
    moment = party.loaded.state.moment
    place(party)
    place(party, 1)
    status, why = refused(party, client_of(party), moment=moment)
    assert status == 409
    assert why.startswith("The game has moved on")


def test_after_the_game_no_request_is_allowed_and_the_results_show_the_counts() -> None:
    party = party_with_hints()
    ask(party)
    play_on(party.code, NOW)
    until(party, "the end")
    why = "The game is over: there is nothing left to decide."
    assert refused(party, client_of(party)) == (409, why)
    results = page(party, 1)
    assert "Hints were allowed: Ana used 1 hint." in results
    assert "Hints were allowed: Ana used 1 hint." in page(party, 1, "look/")


def test_results_say_that_no_player_asked() -> None:
    party = party_with_hints()
    until(party, "the end")
    assert "Hints were allowed; nobody asked for any." in page(party)
    plain = sit_down(("Ana", "Ben"), TINY, "rolled")
    until(plain, "the end")
    assert "Hints" not in page(plain)


def test_dice2_explains_that_it_has_no_hints() -> None:
    party = sit_down_for("major", ("Ana", "Ben"), dice="rolled")
    status, why = refused(party, client_of(party))
    assert status == 409
    assert why.startswith("Dice² has no hints: your only choice is where a die goes")


def test_requests_before_the_game_are_refused() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "rolled", start=False)
    seating.allow_hints(party.access(), True)
    with pytest.raises(Refused, match="not-started"):
        acts.ask_hint(party.access(), 0, moment="", request="ask-early")


def test_requests_are_rate_limited() -> None:
    party = party_with_hints()
    client, last = client_of(party), 0
    sent = {"player": "0", "moment": party.loaded.state.moment, "request": "ask-again"}
    for _ in range(61):
        answer = client.post(f"/table/{party.code}/ask/", sent, headers=FROM_SCRIPT)
        last = answer.status_code
    assert last == 429
    assert "Wait a minute" in state_in(answer.content.decode())["refusal"]["sentence"]
    assert hint_count(party) == 1


def test_a_request_without_a_player_is_malformed() -> None:
    party = party_with_hints()
    answer = client_of(party).post(f"/table/{party.code}/ask/", {"player": "x"})
    assert answer.status_code == 400


def test_use_case_refuses_a_request_for_another_seat() -> None:
    party = party_with_hints()
    with pytest.raises(NotYours):
        ask(party, 0, by=1)
    with pytest.raises(Stale):
        ask(party, 0, moment="9-turn-99")
    assert Table.objects.get(code=party.code).length == 1
