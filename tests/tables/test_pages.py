"""Tests of the pages of a table without a script, and of malformed and stale requests."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import urlsplit

import pytest
from django.test import Client

from sheets.http import phone_address
from sheets.models import Table
from sheets.tables import acts, seating
from sheets.tables.access import TableAccess, find_access
from sheets.tables.views import page as page_views
from tests.form_errors import parse_form_errors
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import RAILS, SPACE, TINY, VOLCANO, Party, play_on, sit_down
from tests.web.test_weight import LIMIT_BYTES, weigh

pytestmark = pytest.mark.django_db


def device(party: Party, player: int) -> Client:
    """Return the client of a player."""
    client = Client()
    client.cookies["dizzle_seat"] = party.tokens[player]
    return client


def url_of(party: Party, below: str = "") -> str:
    return f"/table/{party.code}/{below}"


def now(client: Client, party: Party, **query: str) -> dict:  # type: ignore[type-arg]
    return state_in(unmarked(client.get(url_of(party), query, headers=FROM_SCRIPT)))


# Sitting down ------------------------------------------------------------------------------------


OPENED = {"level": "level-1", "players": 2, "dice": "table", "name": "Ana"}


def test_personal_links_are_opened_from_the_field_for_a_code() -> None:
    ana, app = Client(), Client()
    url = ana.post("/table/new/", OPENED)["Location"]
    for made in (ana.post("/my/link/"), ana.post(f"{url}link/", {"number": 0})):
        (link,) = {*re.findall(r"http://[^ <\"]+/(?:device|seat)/[^ <\"]+", made.text)}
        answer = app.post("/table/", {"code": f" My link: {link}\n"})
        assert answer["Location"] == urlsplit(link).path
        assert app.get(answer["Location"]).status_code == 200
    elsewhere = "https://example.org/my/device/" + "x" * 32 + "/"
    assert app.post("/table/", {"code": elsewhere})["Location"].startswith("/my/device/xxx")


def test_a_table_is_opened_joined_and_begun_without_script() -> None:
    ana, ben = Client(), Client()
    answer = ana.post(
        "/table/new/", {"level": "level-1", "players": 2, "dice": "table", "name": "Ana"}
    )
    url = answer.headers["Location"]
    code = Table.objects.get(code=url.split("/")[2]).typed_code
    assert ben.post("/table/", {"code": f" {code.lower()} "}).headers["Location"] == url
    lobby = ben.get(url).content.decode()
    assert f'<span translate="no" class="code">{code}</span>' in lobby
    assert "<svg" in lobby
    ben.post(f"{url}sit/", {"number": 1, "name": "Ben"})
    assert ben.post(f"{url}start/").status_code == 403
    assert ana.post(f"{url}start/").status_code == 302
    for client in (ana, ben):
        assert 'role="grid"' in client.get(url).content.decode()


def test_a_solo_game_begins_at_once_and_the_name_is_remembered() -> None:
    client = Client()
    sent = {"level": "level-1", "players": 1, "dice": "rolled", "name": "Ana <3"}
    url = client.post("/table/new/", sent).headers["Location"]
    assert "Roll the dice" in client.get(url).content.decode()
    assert 'value="Ana &lt;3"' in client.get("/table/new/").content.decode()
    other = Client().post("/table/new/", {"level": "level-1", "players": 2, "dice": "table"})
    lobby = client.get(other.headers["Location"]).content.decode()
    assert lobby.count('value="Ana &lt;3"') == 1


def test_the_seats_secret_is_kept_from_scripts_and_from_other_sites() -> None:
    answer = Client().post(
        "/table/new/", {"level": "level-1", "players": 1, "dice": "rolled", "name": ""}
    )
    cookie = answer.cookies["dizzle_seat"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 365 * 24 * 3600
    assert cookie.value not in Client().get(answer.headers["Location"]).content.decode()


@pytest.mark.parametrize(
    "sent",
    [
        {"level": "level-1", "players": 7, "dice": "table"},
        {"level": "level-99", "players": 2, "dice": "table"},
        {"level": "level-1", "players": 0, "dice": "table"},
        {"level": "level-1", "players": 2, "dice": "loaded"},
        {"level": "level-1", "players": 2, "dice": "table", "name": "x" * 41},
        {},
    ],
    ids=["too-many", "no-level", "nobody", "no-dice", "long-name", "nothing"],
)
def test_an_impossible_table_is_not_opened(sent: dict[str, object]) -> None:
    answer = Client().post("/table/new/", sent)
    assert answer.status_code == 400
    assert parse_form_errors(answer.content.decode())


def test_an_unknown_code_is_refused_with_a_sentence() -> None:
    unknown, unread = "There is no table with this code.", "Type the code as it stands"
    codes = {"ZZZZZ": unknown, "": unread, "-": unread, "<script>": "No code contains I."}
    for code, sentence in codes.items():
        answer = Client().post("/table/", {"code": code})
        assert answer.status_code == 404
        assert sentence in answer.content.decode()
        assert "<script>" not in answer.content.decode()


def test_a_taken_seat_cannot_be_taken_again() -> None:
    party = sit_down(start=False)
    answer = Client().post(url_of(party, "sit/"), {"number": 1, "name": "Eve"})
    assert answer.status_code == 409
    assert "Somebody else already sits there." in answer.content.decode()


def test_a_name_is_text_on_every_page() -> None:
    party = sit_down(("<img src=x>", "Ben"), TINY)
    client = device(party, 0)
    for page in (
        client.get(url_of(party)).content.decode(),
        "".join(now(client, party)["parts"].values()),
    ):
        assert "<img src=x>" not in page
        assert "&lt;img src=x&gt;" in page


def test_host_frees_hands_on_and_seats_bots() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), "level-1", "rolled", start=False)
    ana = device(party, 0)
    assert ana.post(url_of(party, "free/"), {"number": 2}).status_code == 302
    assert ana.post(url_of(party, "bot/"), {"number": 2, "bot": "nobody"}).status_code == 400
    assert ana.post(url_of(party, "bot/"), {"number": 2, "bot": "greedy"}).status_code == 302
    assert ana.post(url_of(party, "rename/"), {"number": 0, "name": " A  na "}).status_code == 302
    assert ana.post(url_of(party, "host/"), {"number": 1}).status_code == 302
    assert ana.post(url_of(party, "start/")).status_code == 403
    assert device(party, 1).post(url_of(party, "start/")).status_code == 302
    assert [str(seat) for seat in party.access().all_seats] == ["A na", "Ben", "Bot 3"]


def test_a_code_that_no_phone_can_open_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    party = sit_down(start=False)
    ana = device(party, 0)
    for own, is_shown in (("", False), ("192.168.7.9", True)):
        monkeypatch.setattr(phone_address, "own_address", lambda own=own: own)
        host = {"HTTP_HOST": "localhost:8000"}
        for answer in (
            ana.get(url_of(party), **host),
            ana.get(url_of(party, "screen/"), **host),
            ana.post(url_of(party, "link/"), {"number": 0}, **host),
        ):
            page = answer.content.decode()
            assert ('class="qr"' in page) is is_shown, page
            assert ("This address only works on this computer" in page) is not is_shown, page
            assert f"http://localhost:8000/<wbr>table/<wbr>{party.typed_code}" not in page


def test_a_waiting_page_reloads_without_script() -> None:
    again = '<meta http-equiv="refresh" content="8; url=/table/'
    lobby = sit_down(start=False)
    assert again not in device(lobby, 0).get(url_of(lobby)).content.decode()  # the host types names
    assert again in device(lobby, 1).get(url_of(lobby)).content.decode()
    assert again not in device(lobby, 1).get(url_of(lobby, "?still")).content.decode()
    assert again in Client().get(url_of(lobby, "screen/")).content.decode()
    # So a host who types names gets a link instead.
    link = "Check who is here"
    for who, is_linked in ((device(lobby, 0), True), (Client(), True), (device(lobby, 1), False)):
        assert (link in who.get(url_of(lobby)).content.decode()) is is_linked
    party = sit_down(level=TINY)
    party.done(0)
    assert f'url={url_of(party, "?seat=0")}"' in (
        device(party, 0).get(url_of(party, "?seat=0")).content.decode()
    )
    assert again not in device(party, 1).get(url_of(party)).content.decode()
    assert again in Client().get(url_of(party)).content.decode()


def test_a_personal_link_asks_before_it_moves_the_seat() -> None:
    party = sit_down(level=TINY)
    ben = device(party, 1)
    page = unmarked(ben.post(url_of(party, "link/"), {"number": 1}))
    assert "The personal link of Ben" in page
    assert 'data-share-act="copy"' in page
    assert 'data-share-act="send"' in page
    link = re.search(r"data-share-url>http://testserver(/table/[^<]+)<", page)
    assert link
    phone = Client()
    assert "Move the seat of Ben here" in unmarked(phone.get(link[1]))
    assert party.access(1).seats == {1}
    assert phone.post(link[1]).status_code == 302
    assert party.access(1).seats == frozenset()
    assert "Tap where your dice lie." in unmarked(phone.get(url_of(party)))
    for used in (Client().get(link[1]), Client().post(link[1])):
        assert used.status_code == 404
        assert "This link is no longer valid" in unmarked(used)
    assert Client().post(f"{url_of(party)}seat/{'x' * 43}/").status_code == 404


# Playing without script --------------------------------------------------------------------------


def tap(client: Client, party: Party, player: int, at: str, **more: str):  # type: ignore[no-untyped-def]
    sent = {"do": "tap", "player": player, "at": at, "moment": party.loaded.state.moment, **more}
    return client.post(url_of(party, "act/"), sent)


def test_a_tap_places_and_the_next_one_takes_back() -> None:
    party = sit_down(level=TINY)
    ana = device(party, 0)
    assert tap(ana, party, 0, "b1").status_code == 302
    assert party.game.sheets[0].dice
    tap(ana, party, 0, "b1")
    assert not party.game.sheets[0].dice


def test_a_refusal_comes_with_the_sheet_a_sentence_and_its_rule() -> None:
    party = sit_down(level=TINY)
    answer = tap(device(party, 0), party, 0, "c2")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "c2 is a closed lock: the red key must be crossed" in page
    assert 'href="/rules/#locked"' in page
    assert 'role="grid"' in page


def test_a_late_act_is_refused_with_a_sentence_and_the_sheet() -> None:
    party = sit_down(level=TINY)
    moment = party.loaded.state.moment
    party.done(0, 1)
    answer = tap(device(party, 0), party, 0, "b1", moment=moment)
    assert answer.status_code == 409
    assert "The game has moved on" in answer.content.decode()


def test_undo_done_and_proposals_by_forms() -> None:
    party = sit_down(level=TINY)
    ana, ben = device(party, 0), device(party, 1)
    tap(ana, party, 0, "b1")
    assert ana.post(url_of(party, "undo/"), {"player": 0}).status_code == 302
    assert ana.post(url_of(party, "undo/"), {"player": 0}).status_code == 409

    tap(ana, party, 0, "b1")
    entry = party.loaded.state.applied[-1]
    assert ana.post(url_of(party, "undo/"), {"player": 0, "entry": entry}).status_code == 302
    tap(ana, party, 0, "b1")
    number = party.loaded.state.applied[-1]
    assert ben.post(url_of(party, "propose/"), {"player": 1, "to": number}).status_code == 302
    page = unmarked(ana.get(url_of(party)))
    assert "Ben proposes to go back to before “Ana: 2 on b1”." in page
    answer = {"answer": "yes", "proposal": re.findall(r'name="proposal" value="(.*?)"', page)[0]}
    assert ana.post(url_of(party, "answer/"), {"answer": "yes"}).status_code == 409
    assert ana.post(url_of(party, "answer/"), answer).status_code == 302
    assert not party.game.sheets[0].dice
    for client, player in ((ana, 0), (ben, 1)):
        moment = party.loaded.state.moment
        client.post(url_of(party, "done/"), {"player": player, "done": "yes", "moment": moment})
    assert party.game.pass_number == 2


def test_dice_are_typed_with_or_without_blanks() -> None:
    party = sit_down(level=TINY, dice="typed")
    ana = device(party, 0)
    moment = party.loaded.state.moment
    sent = {"do": "roll", "moment": moment, "player": 0}
    assert ana.post(url_of(party, "act/"), sent | {"dice": "1 2"}).status_code == 422
    assert ana.post(url_of(party, "act/"), sent | {"dice": "1, 2 2355 6"}).status_code == 302
    assert party.game.pool == (1, 2, 2, 3, 5, 5, 6)


def test_planets_lava_and_tracks_are_chosen_by_tap() -> None:
    space = sit_down(("Ana",), SPACE)
    ana = device(space, 0)
    tap(ana, space, 0, "b1")
    space.done(0)
    assert "choose a planet" in ana.get(url_of(space)).content.decode()
    tap(ana, space, 0, "e1")
    assert space.game.pass_number == 2

    hot = sit_down(("Ana",), VOLCANO)
    ana = device(hot, 0)
    sent = {"do": "erupt", "moment": hot.loaded.state.moment, "player": 0}
    assert ana.post(url_of(hot, "act/"), sent).status_code == 400
    assert ana.post(url_of(hot, "act/"), sent | {"die": 6}).status_code == 302
    tap(ana, hot, 0, "b2")
    assert hot.game.phase == "open"

    rails = sit_down(("Ana",), RAILS)
    ana = device(rails, 0)
    tap(ana, rails, 0, "b1")
    rails.done(0)
    answer = tap(ana, rails, 0, "b1")
    page = ana.get(answer.headers["Location"]).content.decode()
    # The order of the pieces is the same on every field, whatever lies next to it.
    assert page.index('value="NS"') < page.index('value="EW"')
    sent = {"do": "track", "player": 0, "at": "b1", "shape": "EW"}
    ana.post(url_of(rails, "act/"), sent | {"moment": rails.loaded.state.moment})
    assert rails.game.pass_number == 2


def test_the_app_rolls_when_it_has_the_dice() -> None:
    party = sit_down(("Ana",), "level-7", "rolled")
    ana = device(party, 0)
    page = ana.get(url_of(party)).content.decode()
    assert "Roll for the volcano" in page
    sent = {"do": "erupt", "player": 0, "moment": party.loaded.state.moment}
    assert ana.post(url_of(party, "act/"), sent).status_code == 302
    assert party.game.phase in ("lava", "roll")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "cheat", "player": 0, "at": "b1"},
        {"do": "place", "player": 0},
        {"do": "place", "at": "b1"},
        {"do": "place", "player": 9, "at": "b1"},
        {"do": "place", "player": 3, "at": "b1"},
        {"do": "place", "player": -1, "at": "b1"},
        {"do": "place", "player": 0, "at": "<b>"},
        {"do": "place", "player": 0, "at": "b1", "die": 7},
        {"do": "place", "player": 0, "at": "b1", "request": "x"},
        {"do": "roll", "dice": "789"},
        {"do": "roll", "dice": "1" * 91},
        {"do": "track", "player": 0, "at": "b1", "shape": "XX"},
        {"do": "track", "player": 0, "at": "b1"},
        {"do": "place", "player": 0, "at": "b1", "moment": "x" * 41},
    ],
)
@pytest.mark.parametrize("headers", [{}, FROM_SCRIPT], ids=["form", "script"])
def test_a_malformed_act_is_a_bad_request(sent: dict[str, object], headers: dict[str, str]) -> None:
    party = sit_down(level=TINY)
    answer = device(party, 0).post(url_of(party, "act/"), sent, headers=headers)
    assert answer.status_code == 400
    assert party.access().table.length == 0


@pytest.mark.parametrize(
    "address", ["done/", "undo/", "propose/", "answer/", "stand-in/", "sit/", "free/", "link/"]
)
def test_other_malformed_posts_are_bad_requests(address: str) -> None:
    party = sit_down(level=TINY)
    for sent in ({}, {"player": "x", "number": "x", "answer": "x"}, {"player": "99"}):
        assert device(party, 0).post(url_of(party, address), sent).status_code == 400


# For the script ----------------------------------------------------------------------------------


def test_page_that_only_polls_lets_a_bot_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its server may have stopped while the bot was thinking, so the revision stays the same."""
    party, resumed = sit_down(level=TINY), list[TableAccess]()
    monkeypatch.setattr(page_views, "resume_thinking", resumed.append)
    known = party.access().table.revision
    answer = device(party, 0).get(url_of(party), {"known": known}, headers=FROM_SCRIPT)
    assert answer.status_code == 204
    assert len(resumed) == 1


def test_nothing_new_is_no_content() -> None:
    party = sit_down(level=TINY)
    client = device(party, 0)
    revision = now(client, party)["revision"]
    assert client.get(url_of(party), {"known": revision}, headers=FROM_SCRIPT).status_code == 204
    party.act("place", 1, "b1")
    assert now(client, party, known=str(revision))["revision"] == revision + 1


def test_an_act_answers_with_the_fresh_state() -> None:
    party = sit_down(level=TINY)
    ana = device(party, 0)
    sent = {"do": "place", "player": 0, "at": "b1", "moment": party.loaded.state.moment}
    answer = ana.post(url_of(party, "act/"), sent, headers=FROM_SCRIPT)
    state = state_in(answer.content.decode())
    assert state["marks"] == [{"b1": "die-2"}, {}]
    assert state["hints"] == {"c1": "strong", "b2": "strong"}
    answer = ana.post(url_of(party, "act/"), sent, headers=FROM_SCRIPT)
    assert answer.status_code == 422
    refusal = state_in(answer.content.decode())["refusal"]
    assert (refusal["rule"], refusal["at"]) == ("field-taken", "b1")


def test_hints_are_for_the_own_sheet_only() -> None:
    party = sit_down(level=TINY)
    ana = device(party, 0)
    assert now(ana, party)["hints"]
    assert not now(ana, party, show="1")["hints"]
    assert not now(Client(), party)["hints"]


def test_strong_hints_take_a_die_of_the_pool_and_faint_ones_would() -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(2, 2, 2, 2, 2, 2, 2))
    assert now(device(party, 0), party)["hints"] == {"b1": "strong", "a2": "faint"}
    assert set(now(device(party, 1), party)["hints"].values()) == {"faint"}


def test_only_the_awaited_player_is_called() -> None:
    party = sit_down(level=TINY, dice="typed")
    ana, ben = device(party, 0), device(party, 1)
    assert now(ana, party)["call"]
    assert now(ana, party)["title"] == "● Your turn"
    assert not now(ben, party)["call"]
    assert now(ben, party)["title"] == "Ana starts this pass and rolls 7 dice"


def test_a_device_with_two_seats_sees_the_one_that_is_asked_first() -> None:
    party = sit_down(level=TINY, dice="typed")
    seating.free_seat(party.access(1), 1)
    seating.take_seat(find_access(party.code), 1, "Kim", party.tokens[0])
    both = device(party, 0)
    assert now(both, party)["seat"] == 0
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1")
    assert now(both, party)["seat"] == 1
    state = now(both, party, seat="0")
    assert state["seat"] == 0
    assert "To Kim" in state["parts"]["_bar"]


def test_the_end_of_a_pass_is_listed_line_by_line() -> None:
    party = sit_down(level=TINY)
    for at in ("b1", "c1", "d1"):
        party.act("place", 0, at)
    party.done(0, 1)
    story = now(device(party, 1), party)["parts"]["_story"]
    lines = re.findall(r'<li data-lit="([^"]*)" data-players="([^"]*)"[^>]*>([^<]+)</li>', story)
    assert [(lit, players) for lit, players, _text in lines] == [
        ("b1 c1 d1", "0"),
        ("c1", "0 1"),
        ("d1", "0"),
    ]
    assert "The bomb on c1 explodes on the sheet of Ben." in lines[1][2]


def test_the_end_of_a_pass_begins_with_the_own_sheet() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    for player in range(3):
        party.act("place", player, "b1")
    party.done(0, 1, 2)
    for player, name in enumerate(("Ana", "Ben", "Cem")):
        story = now(device(party, player), party)["parts"]["_story"]
        assert re.findall(r">(\w+) crosses", story)[0] == name


def test_more_dice_on_the_sheets_than_in_play_are_pointed_out_and_not_refused() -> None:
    party = sit_down(level={**TINY, "dice": {"2": 2}})
    for player, at in ((0, "b1"), (0, "c1")):
        party.act("place", player, at)
    assert "Please check" not in now(device(party, 0), party)["parts"]["_notice"]
    party.act("place", 1, "b1")
    for player in (0, 1):
        notice = now(device(party, player), party)["parts"]["_notice"]
        assert "3 dice lie on the sheets, but only 2 are in play." in notice
    party.act("return", 1, "b1")
    assert "Please check" not in now(device(party, 0), party)["parts"]["_notice"]


def test_a_mirrored_pass_has_one_button_to_be_done() -> None:
    party = sit_down(level=TINY)
    bar = now(device(party, 0), party)["parts"]["_bar"]
    assert 'name="done"' in bar
    assert 'value="drop"' not in bar


def test_one_phone_ends_a_mirrored_pass_for_all() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    assert "All are done" not in now(device(party, 0), party)["parts"]["_bar"]
    party.done(0)
    assert "All are done" in now(device(party, 0), party)["parts"]["_bar"]
    sent = {"player": 0, "done": "all", "moment": party.loaded.state.moment, "request": "r" * 12}
    assert device(party, 0).post(f"{url_of(party)}done/", sent).status_code == 302
    assert party.game.passes_done == 1
    # A second tap in the same place does not end the next pass.
    party.done(0)
    assert "All are done" not in now(device(party, 0), party)["parts"]["_bar"]
    # There is no such button if no other player is placing.
    party.act("place", 0, "a2")
    party.done(0)
    assert "All are done" in now(device(party, 0), party)["parts"]["_bar"]
    seating.free_seat(party.access(1), 1)
    assert "All are done" not in now(device(party, 0), party)["parts"]["_bar"]


def test_a_finished_game_leads_to_its_results() -> None:
    party = sit_down(level=TINY)
    play_on(party, Random(3), 99)
    state = now(device(party, 0), party)
    assert state["stage"] == "over"
    assert "To the results" in state["parts"]["_bar"]
    page = device(party, 0).get(url_of(party)).content.decode()
    assert "Total" in page


def test_a_page_is_for_its_reader_only_and_for_no_search_engine() -> None:
    party = sit_down(level=TINY)
    answer = device(party, 0).get(url_of(party))
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "noindex" in answer.headers["X-Robots-Tag"]


def test_the_host_goes_on_for_a_start_player_from_the_bar() -> None:
    party = sit_down(("Ana", "Ben"), TINY, "typed")
    play_on(party, Random(1), 1)
    assert party.game.start_player == 1
    ana, ben = device(party, 0), device(party, 1)
    bars = [now(one, party)["parts"]["_bar"] for one in (ana, ben)]
    assert ["Don’t wait" in bar for bar in bars] == [True, False]
    assert 'name="dice"' not in bars[0]
    moment = party.loaded.state.moment
    assert ana.post(url_of(party, "hurry/"), {"moment": moment}).status_code == 302
    told = [now(one, party)["parts"]["_hurry"] for one in (ana, ben)]
    assert "Waiting for Ben to react." in told[0]
    assert "Touch anything to stop that." in told[1]
    assert ben.post(url_of(party, "hurry/"), {"is_here": "on"}).status_code == 302
    assert "Waiting for" not in now(ana, party)["parts"]["_hurry"]
    seating.free_seat(party.access(1), 1)
    bar = now(ana, party)["parts"]["_bar"]
    assert "Go on for Ben" in bar
    assert "You roll the dice for Ben." in bar
    assert 'name="dice"' in bar


def test_first_load_of_a_table_stays_small() -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dan"), "level-4")
    play_on(party, Random(1), 6)
    for path in (url_of(party), "/table/", "/table/new/"):
        parts = weigh(device(party, 0), path)
        assert sum(parts.values()) < LIMIT_BYTES, parts


def test_first_load_of_a_table_with_hints_stays_small() -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dan"), "level-4", "typed", start=False)
    seating.allow_hints(party.access(), True)
    acts.start(party.access())
    play_on(party, Random(1), 6)
    parts = weigh(device(party, 0), url_of(party))
    assert sum(parts.values()) < LIMIT_BYTES, parts


def test_a_name_for_a_seat_that_was_taken_is_offered_for_the_next_free_one() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), start=False)
    seating.free_seat(party.access(2), 2)
    page = Client().post(url_of(party, "sit/"), {"number": 1, "name": "Beppo"}).text
    seat = page.partition('id="seat-2"')[2]
    assert 'value="Beppo"' in seat
