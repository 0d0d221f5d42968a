"""Tests that the cached state of a page equals a fresh rendering."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.test import Client, RequestFactory
from django.utils import translation

from sheets.rules import RuleViolation
from sheets.tables import acts, event_loader, seating
from sheets.tables import page_state as pages
from sheets.tables.access import NotYours, Refused, Stale, find_access
from sheets.tables.family import PageQuery, family_of
from sheets.tables.page_state import is_running, page_state
from sheets.tables.views.page import state_of_page
from tests.dice2_tables import sit_down_for
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import (
    RAILS,
    SPACE,
    TINY,
    VOLCANO,
    Party,
    random_choice,
    random_move,
    sit_down,
)

pytestmark = pytest.mark.django_db


def meanwhile(party: Party, random: Random) -> Iterator[Callable[[], None]]:
    """Yield acts of the players between their moves."""
    one = random.choice(range(len(party.tokens)))
    applied = party.loaded.state.applied or (1,)
    moment = party.loaded.state.moment
    yield lambda: acts.undo(party.access(one), one)
    yield lambda: acts.propose(party.access(one), one, random.choice(applied), request="")
    asked = party.loaded.state.proposal
    if asked:
        yes = random.random() < 0.5
        yield lambda: acts.answer(party.access(1 - one), yes, proposal=asked.number, request="")
    yield lambda: acts.start_countdown(party.access(0), moment=moment, request="")
    yield lambda: acts.mark_present(party.access(1), request="")
    yield lambda: seating.hand_over_host(party.access(party.access().table.host), one)


def play_some(party: Party, random: Random) -> None:
    """Let the awaited players act a few times."""
    for number in range(5):
        if party.game.phase != "finished":
            move = random_move(party.game, random, random_choice(random), may_place=number < 4)
            by = max(move.player, 0) if move.player >= 0 else party.game.start_player
            more = {"die": move.die, "dice": move.dice, "shape": move.shape}
            party.act(move.do, move.player, move.at, by=by, **more)


def expect_the_same(party: Party) -> None:
    """Assert that each device's state equals a rendering without cache."""
    if not is_running(party.access()):
        return
    for seat, token in [*enumerate(party.tokens), (None, "")]:
        for query in (PageQuery(), PageQuery(seat=seat, shown=1, at="a1", why="a1")):
            for language in ("en", "de"):
                with translation.override(language):
                    # Both show the seconds of a countdown, which may change between them.
                    # Without sharing, each try renders both again.
                    assert any(is_as_rendered(party, token, query) for _ in range(10))


@pytest.fixture
def unshared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let requests share no rendered state."""
    monkeypatch.setattr(pages, "SHARED_SECONDS", 0)


def is_as_rendered(party: Party, token: str, query: PageQuery) -> bool:
    """Return whether a state equals a fresh rendering, except values unique to each page."""
    access = find_access(party.code, token)
    state = page_state(access, query)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    page = family_of(access.table).play_page(access, query)
    whole = state_of_page(request, access, page).fragments
    return {name: without_own(html) for name, html in state.fragments.items()} == {
        name: without_own(html) for name, html in whole.items()
    }


def without_own(html: str) -> str:
    """Return a fragment without CSRF tokens and request ids."""
    html = re.sub(r'\s*<input type="hidden" name="csrfmiddlewaretoken" [^>]+>', "", html)
    html = re.sub(r'(name="request" value=")[\w-]{16}(-\w+")', r"\1\2", html)
    return "\n".join(line.strip() for line in html.splitlines() if line.strip())


@pytest.mark.usefixtures("unshared")
@pytest.mark.parametrize(
    ("level", "dice"),
    [(TINY, "table"), (TINY, "typed"), (VOLCANO, "table"), (SPACE, "rolled"), (RAILS, "typed")],
)
def test_cached_fragments_equal_a_fresh_rendering(level: object, dice: str) -> None:
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


@pytest.mark.usefixtures("unshared")
@pytest.mark.parametrize("dice", ["typed", "rolled"])
def test_cached_fragments_of_a_relay_equal_a_fresh_rendering(dice: str) -> None:
    party = sit_down_for("relay", target=5, has_handicap=True, dice=dice)
    expect_the_same(party)
    party.act("begin", 0, shape="last-man")
    expect_the_same(party)
    party.play_on(games=1)
    expect_the_same(party)


def test_an_act_is_answered_with_the_new_state() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    client = Client(headers=FROM_SCRIPT)
    client.cookies["dizzle_seat"] = party.tokens[1]
    sent = {"do": "place", "player": "1", "at": "b1", "moment": party.loaded.state.moment}
    url = f"/table/{party.code}/act/?seat=1"
    answer = client.post(url, sent | {"request": "r" * 16}).content.decode()
    assert answer == page_state(party.access(1), PageQuery(seat=1)).as_html()
    # It counts once.
    assert answer == client.post(url, sent | {"request": "r" * 16}).content.decode()
    # A refusal comes with the state, too.
    refused = state_in(client.post(url, sent | {"request": "q" * 16}).content.decode())
    assert refused.pop("refusal")
    assert refused == state_in(answer)


def test_a_fragment_is_cached_until_its_content_changes() -> None:
    party = sit_down(("Ana", "Ben"), TINY)
    query = PageQuery(seat=1)
    before = page_state(party.access(1), query).fragments
    party.act("place", 0, "b1")
    after = page_state(party.access(1), query).fragments
    assert before.keys() == after.keys()
    assert [name for name in after if after[name] is not before[name]] == ["_people"]


def test_the_cache_holds_pages_of_five_hundred_tables_of_four() -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dee"), "level-1")
    pages._cache.clear()
    for seat in range(4):
        page_state(party.access(seat), PageQuery(seat=seat))
    of_one = len(pages._cache)
    assert of_one >= 4
    assert 500 * of_one <= pages.MAX_CACHED_PAGES
    assert event_loader.MAX_CACHED_TABLES >= 500
