"""Is what scripts are told of a table what its page shows, whatever was rendered before?"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.test import Client, RequestFactory
from django.utils import translation

from sheets.access.keys import digest
from sheets.http import rendered
from sheets.live.news import Looker
from sheets.rules import RuleViolation
from sheets.tables import play, reading, seating
from sheets.tables.access import NotYours, Refused, Stale, find_access
from sheets.tables.family import Wishes
from sheets.tables.games import family_of
from sheets.tables.views.news import news_for
from sheets.tables.views.page import fragments_of
from sheets.tables.views.state import is_for_all, play_state
from tests.dice2_tables import sit_down_for
from tests.table_games import RAILS, SPACE, TINY, VOLCANO, Party, by_chance, next_move, sit_down

pytestmark = pytest.mark.django_db


def meanwhile(party: Party, random: Random) -> Iterator[Callable[[], None]]:
    """What people do between their moves."""
    one = random.choice(range(len(party.tokens)))
    applied = party.loaded.state.applied or (1,)
    moment = party.loaded.state.moment
    yield lambda: play.undo(party.access(one), one)
    yield lambda: play.propose(party.access(one), one, random.choice(applied), request="")
    asked = party.loaded.state.proposal
    if asked:
        yes = random.random() < 0.5
        yield lambda: play.answer(party.access(1 - one), yes, proposal=asked.number, request="")
    yield lambda: play.hurry(party.access(0), moment=moment, request="")
    yield lambda: play.say_here(party.access(1), request="")
    yield lambda: seating.hand_on_host(party.access(party.access().table.host), one)


def play_some(party: Party, random: Random) -> None:
    """Let whoever is asked act a few times."""
    for number in range(5):
        if party.game.phase != "finished":
            move = next_move(party.game, random, by_chance(random), may_place=number < 4)
            by = max(move.player, 0) if move.player >= 0 else party.game.start_player
            more = {"die": move.die, "dice": move.dice, "shape": move.shape}
            party.act(move.do, move.player, move.at, by=by, **more)


def expect_the_same(party: Party) -> None:
    """Each phone is told what its page would show if nothing had been rendered before."""
    if not is_for_all(party.access()):
        return
    for seat, token in [*enumerate(party.tokens), (None, "")]:
        for wishes in (Wishes(), Wishes(seat=seat, shown=1, at="a1", why="a1")):
            for language in ("en", "de"):
                with translation.override(language):
                    # A second may have passed between the two, once.
                    assert any(is_as_rendered(party, token, wishes) for _ in range(2))


def is_as_rendered(party: Party, token: str, wishes: Wishes) -> bool:
    """Whether a script is told what the page would have rendered, but for what is its own."""
    access = find_access(party.code, token)
    state = play_state(access, wishes)
    undo = state.get("undo") or ""
    page = family_of(access.table).play_page(access, wishes)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    whole = fragments_of(request, access, page)["parts"]
    told = {name: html.replace("\ue002", str(undo)) for name, html in state["parts"].items()}
    return {name: without_own(html) for name, html in told.items()} == {
        name: without_own(html) for name, html in whole.items()
    }


def without_own(html: str) -> str:
    """A fragment without what each page has for its forms."""
    html = re.sub(r'(name="csrfmiddlewaretoken" value=)"[^"]+"', r"\1", html)
    return re.sub(r'(name="request" value=)"(?:[\w-]{16}|\ue001)', r"\1", html)


@pytest.mark.parametrize(
    ("level", "dice"),
    [(TINY, "table"), (TINY, "typed"), (VOLCANO, "table"), (SPACE, "rolled"), (RAILS, "typed")],
)
def test_what_is_rendered_once_is_what_would_be_rendered(level: object, dice: str) -> None:
    random = Random(dice)
    party = sit_down(("Ana", "Ben"), level, dice)  # type: ignore[arg-type]
    expect_the_same(party)
    for _ in range(4):
        if party.game.phase != "finished" and party.loaded.state.proposal is None:
            play_some(party, random)
            expect_the_same(party)
        for do in meanwhile(party, random):
            try:
                do()
            except (NotYours, Refused, Stale, RuleViolation):
                continue
            expect_the_same(party)
    other = 1 - party.access().table.host
    seating.free_seat(party.access(other), other)
    expect_the_same(party)


@pytest.mark.parametrize("dice", ["typed", "rolled"])
def test_the_same_holds_for_a_relay_of_dice2(dice: str) -> None:
    party = sit_down_for("relay", target=5, has_handicap=True, dice=dice)
    expect_the_same(party)
    party.act("begin", 0, shape="last-man")
    expect_the_same(party)
    party.play_on(games=1)
    expect_the_same(party)


def test_only_what_is_new_is_sent() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    client = Client()
    client.cookies["dizzle_seat"] = party.tokens[1]
    url = f"/table/{party.code}/now/"
    before = client.get(url).json()
    assert before["parts"].keys() == before["sums"].keys()
    has = " ".join(f"{name}={kept}" for name, kept in before["sums"].items())
    party.act("place", 0, "b1")
    told = client.get(url, headers={"Known-Parts": f"{has} nonsense ="}).json()
    assert set(told["parts"]) == {"_people"}
    assert {**before["parts"], **told["parts"]} == client.get(url).json()["parts"]
    party.act("place", 1, "b1")
    mine = client.get(url).json()
    party.act("place", 1, "c1")
    known = " ".join(f"{name}={kept}" for name, kept in mine["sums"].items())
    told = client.get(url, headers={"Known-Parts": known}).json()
    assert set(told["parts"]) == {"_people"}
    assert told["undo"] == mine["undo"] + 1 == party.loaded.state.length
    again = client.get(url, headers={"Known-Parts": "_people=000 _bar"}).json()
    assert again["parts"].keys() == again["sums"].keys()


def test_whose_stream_brings_what_comes_of_an_act_is_told_its_revision_alone() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    client = Client(headers={"Accept": "application/json", "Told-By-Stream": "yes"})
    client.cookies["dizzle_seat"] = party.tokens[0]
    sent = {"do": "place", "player": "0", "moment": party.loaded.state.moment}

    def place(at: str, number: int) -> dict[str, object]:
        url = f"/table/{party.code}/act/?seat=0"
        return dict(client.post(url, sent | {"at": at, "request": f"{number:016}"}).json())

    first = place("b1", 1)
    assert first == {"revision": party.access().table.revision}
    assert place("b1", 1) == first  # it counts once
    # Why nothing has changed is said at once, and what there is to see instead.
    refused = place("b1", 2)
    assert refused["refusal"]
    assert refused["revision"] == first["revision"]
    assert refused["parts"]


def test_no_stream_brings_the_end_of_a_game() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    told = []
    while party.game.phase != "finished":
        for player in (0, 1):
            client = Client(headers={"Accept": "application/json", "Told-By-Stream": "yes"})
            client.cookies["dizzle_seat"] = party.tokens[player]
            sent = {"player": player, "done": "yes", "moment": party.loaded.state.moment}
            url = f"/table/{party.code}/done/?seat={player}"
            told.append(client.post(url, sent | {"request": f"{len(told):016}"}).json())
    assert all(one.keys() == {"revision"} for one in told[:-1])
    assert told[-1]["stage"] == "over"
    assert told[-1]["parts"]


def test_who_taps_is_told_the_same_by_answer_and_stream() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    client = Client(headers={"Accept": "application/json"})
    client.cookies["dizzle_seat"] = party.tokens[1]
    sent = {"do": "place", "player": "1", "at": "b1", "moment": party.loaded.state.moment}
    answer = client.post(f"/table/{party.code}/act/?seat=1", sent | {"request": "r" * 16}).json()
    lookers = [
        Looker(digest(party.tokens[seat]), f"?seat={seat}", language, {})
        for seat, language in ((1, "en"), (1, "de"), (0, "en"))
    ]
    same, german, other = (
        json.loads(news.line) for news in news_for(party.code, lookers) if news is not None
    )
    assert {**same, "shows": None} == {**answer, "shows": None}
    assert "Fertig" in german["parts"]["_bar"]
    assert (other["seat"], other["undo"], same["undo"]) == (0, None, 1)


def test_what_five_hundred_tables_of_four_show_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dee"), "level-1")
    monkeypatch.setattr(rendered, "_kept", OrderedDict())
    for seat in range(4):
        play_state(party.access(seat), Wishes(seat=seat))
    of_one = len(rendered._kept)
    assert of_one >= 4
    assert 500 * of_one <= rendered.KEPT
    assert reading.CACHED_TABLES >= 500
