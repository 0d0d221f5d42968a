"""Markup that keeps names and codes unchanged when a browser translates a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from pprint import pformat

import pytest
from django.test import Client
from django.utils import timezone

from sheets.access.keys import DEVICE_COOKIE, new_token
from sheets.models import Entry, Seat, Table
from sheets.tables import acts, claims, countdowns, seating
from sheets.tables.access import find_access
from sheets.tables.corrections import Draft
from tests.dice2_tables import sit_down_for
from tests.every_page import PageAddress, every_page
from tests.groups.played_games import create_scoring
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import finished_party

HERE = Path(__file__).resolve().parents[2] / "sheets" / "static" / "sheets" / "offline_scoring"
VOID = {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "col", "area"}
UNSEEN = {"script", "style", "title", "textarea"}
GROUP = ("Family", "Attic")
LEVELS = ("Castle", "Garden", "Tiny")


class Texts(HTMLParser):
    """Parser of the texts of a page that a translation would change, and of its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.titles: set[str] = set()
        self._around: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.update(value for _name, value in attrs if value)
        if tag not in VOID:
            self._around.append((tag, tag in UNSEEN or ("translate", "no") in attrs))

    def handle_endtag(self, tag: str) -> None:
        while self._around and self._around.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._around and self._around[-1][0] == "title":
            self.titles.add(data)
        if not any(is_kept for _tag, is_kept in self._around):
            self.found.add(" ".join(data.split()))


def pages_of(party: Party, *below: str) -> Iterator[PageAddress]:
    """Yield the main page of a table, and others, as each player and a visitor see them."""
    for token in (*party.tokens, ""):
        yield from (PageAddress(f"/table/{party.code}/{path}", token) for path in ("", *below))


def mirrored() -> Party:
    party = sit_down(("Ana", "Ben", "Cem"), TINY)
    party.act("place", 1, "b1")
    party.done(0)
    return party


def in_bens_turn(*, dice: str = "typed") -> Party:
    party = sit_down(level=TINY, dice=dice)
    party.act("roll", by=0, dice=(1, 2, 2, 3, 5, 5, 6))
    party.act("place", 0, "b1", die=2)
    return party


def pages_while_players_ask() -> Iterator[PageAddress]:
    """Yield pages of tables at which players ask others, or have left."""
    lobby = sit_down(("Ana", "Ben"), TINY, start=False)
    yield from pages_of(lobby, "screen/")
    turn = in_bens_turn()
    yield from pages_of(turn, "log/?before=2", "screen/", "seats/", "pause/", "?show=1")
    back = mirrored()
    acts.propose(back.access(), 0, 1, request="")
    yield from pages_of(back, "log/", "screen/")
    refused = mirrored()
    acts.propose(refused.access(), 0, 1, request="")
    number = refused.loaded.state.proposal.number
    acts.answer(refused.access(1), False, proposal=number, request="")
    yield from pages_of(refused, "log/", "screen/")
    counted = mirrored()
    acts.start_countdown(counted.access(), moment=counted.loaded.state.moment, request="")
    yield from pages_of(counted, "log/", "screen/")
    silent_host = mirrored()
    long_ago = timezone.now() - countdowns.HOST_SILENCE
    Entry.objects.filter(table__code=silent_host.code).update(made=long_ago)
    acts.start_host_countdown(silent_host.access(1), 1, request="")
    yield from pages_of(silent_host, "log/", "screen/")
    left = in_bens_turn()
    seating.free_seat(left.access(1), 1)
    yield from pages_of(left, "seats/", "screen/")
    bot = in_bens_turn()
    seating.let_bot_play_on(bot.access(1), 1, "player")
    yield from pages_of(bot, "seats/", "screen/", "log/", "history/?at=99")
    claimed, phone = in_bens_turn(), new_token()
    claims.claim(find_access(claimed.code, phone), 1, phone)
    yield from pages_of(claimed, "seats/")
    yield PageAddress(f"/table/{claimed.code}/", phone)


def pages_of_results() -> Iterator[PageAddress]:
    """Yield pages of finished games and relays, and of lists of them."""
    over = finished_party()
    yield from pages_of(over, "correct/1/", "history/?at=5", "history/?at=999", "screen/", "log/")
    yield from (PageAddress(path, over.tokens[0]) for path in ("/", "/my/"))
    corrected = finished_party()
    draft = Draft.of(corrected.game, 1, {"b1": ""})
    moment = corrected.loaded.state.moment
    action = draft.correction.action
    acts.propose_correction(corrected.access(), 0, action, moment=moment, request="")
    yield from pages_of(corrected, "log/", "screen/")
    for game in ("four-wins", "major", "relay"):
        played = sit_down_for(game, target=5 if game == "relay" else 0)
        if game == "relay":
            played.act("begin", 0, shape="last-man")
        played.play_on(games=1)
        yield from pages_of(played, "history/?at=9", "history/?at=999", "screen/", "log/")
    for crosses in ({"Ana": 30, "Ben": 20}, {"Ana": 30, "Ben": 30}):
        scoring = f"/score/{create_scoring(crosses)[0]}/"
        yield from (PageAddress(scoring + below) for below in ("", "1/", "players/", "results/"))


@pytest.mark.django_db
@pytest.mark.usefixtures("few_trials")
def test_names_of_people_levels_and_tables_are_not_translated(client: Client) -> None:
    """All names, also those in sentences, are in elements with ``translate="no"``.

    Attributes and titles have no such elements.
    """
    places = [*every_page(client), *pages_while_players_ask(), *pages_of_results()]
    kept = {*Seat.objects.values_list("name", flat=True), *GROUP, *LEVELS}
    kept |= set(Table.objects.exclude(typed_code=None).values_list("typed_code", flat=True))
    name = re.compile(rf"(?<!\w)({'|'.join(sorted(map(re.escape, kept - {''})))})(?!\w)")
    faults: dict[str, set[str]] = {}
    found_in_names = set()
    for place in places:
        client.cookies[DEVICE_COOKIE] = place.token
        page = client.get(place.path).content.decode()
        texts = Texts(page)
        found_in_names |= set(name.findall(page))
        found = {text for text in texts.found if name.search(text)}
        found |= {text for text in (*texts.attributes, *texts.titles) if "<bdi" in text}
        if found:
            faults[place.path] = found
        assert 'name="format-detection" content="telephone=no"' in page or "<html" not in page
    assert not faults, pformat(faults)
    assert {"Ana", "Ben", "Cem", *GROUP, *LEVELS} <= found_in_names


def test_names_that_scripts_insert_are_not_translated() -> None:
    """Each is inserted into an element with ``translate="no"``, as in the templates."""
    for name in ("circle_questions", "page", "results", "words"):
        script = (HERE / f"{name}.js").read_text("utf-8")
        assert not re.findall(r'make\("bdi", \{(?! translate: "no")', script), name
