"""Tests of the replay of a table and of a file, and of the log in words."""

from __future__ import annotations

import itertools
import json
import re
from html import unescape
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from sheets.documents.structure import MAX_BYTES
from sheets.models import GameFile
from sheets.rules.documents.game import format_game, history
from sheets.rules.effect_list import find_effects
from sheets.tables import acts, event_loader
from sheets.tables.replay import replay_to
from sheets.text.event_log import is_act
from tests.dice2_tables import sit_down_for
from tests.form_errors import parse_form_errors
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import Party, play_on, sit_down
from tests.tables.table_clients import (
    SHORT,
    client_of,
    finished_party,
    finished_solo,
    played_record,
)

pytestmark = pytest.mark.django_db


def upload(client: Client, content: bytes) -> HttpResponse:
    file = SimpleUploadedFile("game.json", content, "application/json")
    return client.post("/table/file/", {"document": file})


def document(party: Party) -> bytes:
    return json.dumps(format_game(event_loader.record_of(party.access()))).encode()


def page_at(client: Client, url: str, at: object) -> str:
    answer = client.get(f"{url}?at={at}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def shown_totals(page: str) -> list[int]:
    found = re.findall(r"</span>\s*<b>(−?\d+)</b>\s*</h2>", page)
    return [int(total.replace("−", "-")) for total in found]


# Step by step -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [SHORT, "level-4", "level-7", "level-8"], ids=str)
def test_every_step_shows_the_sheets_as_they_stood(client: Client, level: object) -> None:
    record = played_record(level)
    url = upload(client, json.dumps(format_game(record)).encode()).headers["Location"]
    games = list(history(record))
    for at in {0, 1, len(games) // 2, len(games) - 1}:
        page = page_at(client, url, at)
        assert shown_totals(page) == [score.total for score in games[at].scores()], at
    assert "win" in page_at(client, url, 9999)


def test_stops_are_the_beginning_and_the_end_of_every_pass() -> None:
    record = played_record("level-4")
    games = list(history(record))
    ends = [
        at
        for at, (before, after) in enumerate(itertools.pairwise(games), start=1)
        if after.passes_done > before.passes_done
    ]
    assert replay_to(record, 0).stops == (0, *ends)


def test_the_end_of_a_pass_lists_all_its_choices() -> None:
    record = played_record("level-4", seed=5)
    games = list(history(record))
    stops = replay_to(record, 0).stops
    for start, end in itertools.pairwise(stops):
        told = replay_to(record, end)
        assert told.is_pass_end
        crossed = [effect for effect in told.story if effect.rule == "cross-dice"]
        lying = [
            bool(new.crosses & ~old.crosses)
            for old, new in zip(games[start].sheets, games[end].sheets, strict=True)
        ]
        assert len(crossed) == sum(lying)
        rockets = [a for a in record.actions[start:end] if a.do == "rocket"]
        flown = [effect for effect in told.story if effect.rule == "rocket"]
        assert sum(len(effect.fields) for effect in flown) == len(rockets)


def test_an_unfinished_pass_is_not_called_over(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    party.act("place", 0, party.game.legal()[0][0])
    assert "is over" not in page_at(client, f"/table/{party.code}/history/", 1)


def test_effects_of_an_act_are_listed_once() -> None:
    record = played_record("level-7", seed=2)
    told = [replay_to(record, at) for at in range(1, len(record.actions) + 1)]
    for step, action in zip(told, record.actions, strict=True):
        if action.do in ("place", "return"):
            assert step.story == []
        if action.do == "lava":
            assert all(effect.rule != "lava" for effect in step.story)
    assert find_effects(record.start(), record.start()) == []


def test_links_lead_act_by_act_and_pass_by_pass(client: Client) -> None:
    party = finished_party()
    stops = replay_to(event_loader.record_of(party.access()), 0).stops
    url = f"/table/{party.code}/history/"
    first = page_at(client, url, 0)
    assert 'data-step="back"' in first
    assert f'href="?at={stops[1]}"' in first
    assert 'href="?at=1" rel="next"' in first
    last = page_at(client, url, stops[-1])
    assert f'href="?at={stops[-2]}"' in last
    assert 'rel="next"' not in last


@pytest.mark.parametrize("at", ["", "x", "-1", "1e3", "٣", "99999999999999", "1;2"])
def test_an_invalid_step_shows_the_first_or_last_one(client: Client, at: str) -> None:
    party = finished_party()
    assert client.get(f"/table/{party.code}/history/", {"at": at}).status_code == 200


def test_the_replay_skips_undone_acts(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    first, second = party.game.legal()[0][:2]
    party.act("place", 0, first)
    acts.undo(party.access(0), 0, request="undo-first")
    party.act("place", 0, second)
    page = page_at(client, f"/table/{party.code}/history/", 1)
    assert f"on {second}" in page
    assert "move 1 of 1" in page


# Files ------------------------------------------------------------------------------------------


def test_a_game_file_is_opened_and_stepped_through(client: Client) -> None:
    party = finished_party()
    answer = upload(client, document(party))
    assert answer.status_code == 302
    url = answer.headers["Location"]
    for at in (0, 5, 9999):
        theirs = page_at(client, f"/table/{party.code}/history/", at)
        assert shown_totals(page_at(Client(), url, at)) == shown_totals(theirs)
    assert "noindex" in Client().get(url).headers["X-Robots-Tag"]


def test_a_solo_game_of_a_shipped_level_is_opened(client: Client) -> None:
    party = finished_solo()
    assert json.loads(document(party))["level"] == "level-1"
    answer = upload(client, document(party))
    assert 'class="grade"' in page_at(client, answer.headers["Location"], 9999)


def test_an_unfinished_game_is_opened(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    party.act("place", 0, party.game.legal()[0][0])
    assert upload(client, document(party)).status_code == 302


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"format": "dizzle-sheets/1"}', b"null", b"[" * 5000],
    ids=["empty", "cut", "list", "binary", "other", "null", "deep"],
)
def test_other_files_are_refused_in_one_sentence(client: Client, content: bytes) -> None:
    answer = upload(client, content)
    assert answer.status_code == 400
    assert parse_form_errors(answer.content.decode()).keys() == {"document"}
    assert not GameFile.objects.exists()


def test_score_sheets_lead_to_scoring(client: Client) -> None:
    page = upload(client, b'{"format": "dizzle-sheets/1"}').content.decode()
    assert "score sheets, not a game" in page
    assert "/score/import/" in page


def test_a_game_that_breaks_a_rule_is_refused_with_the_move(client: Client) -> None:
    game = json.loads(document(finished_party()))
    game["actions"].insert(1, game["actions"][0])
    answer = upload(client, json.dumps(game).encode())
    assert answer.status_code == 400
    assert "Move 2 breaks a rule" in answer.content.decode()
    assert not GameFile.objects.exists()


def test_a_large_file_is_refused(client: Client) -> None:
    answer = upload(client, b" " * (MAX_BYTES + 1))
    assert answer.status_code in (400, 413)
    assert not GameFile.objects.exists()


def test_an_unknown_key_finds_nothing(client: Client) -> None:
    assert client.get("/table/file/" + "x" * 32 + "/").status_code == 404
    assert client.post("/table/file/" + "x" * 32 + "/").status_code == 405


def test_the_key_itself_is_not_stored(client: Client) -> None:
    key = upload(client, document(finished_party())).headers["Location"].split("/")[3]
    row = GameFile.objects.values().get()
    assert key not in json.dumps(row, default=str)


# The log ----------------------------------------------------------------------------------------


def lines(client: Client, party: Party, query: str = "") -> list[str]:
    page = unescape(client.get(f"/table/{party.code}/log/{query}").content.decode())
    found = re.findall(r'<li id="entry-\d+"[^>]*>\s*<p>(.*?)(?:<a|</p>)', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", "", line).split()) for line in found]


def test_the_log_lists_entries_newest_first_and_strikes_undone_ones(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    first, second = party.game.legal()[0][:2]
    party.act("place", 0, first)
    acts.undo(party.access(0), 0, request="undo-first")
    party.act("place", 0, second)
    found = lines(client, party)
    assert [line.partition(" taken")[0] for line in found] == [
        f"Ana: {number(party, second)} on {second}",
        f"Ana takes back: {number(party, first)} on {first}",
        f"Ana: {number(party, first)} on {first}",
    ]
    page = client.get(f"/table/{party.code}/log/").content.decode()
    assert page.count("<s>") == 1
    assert "taken back" in page


def number(party: Party, at: str) -> int:
    level = party.game.level
    return level.numbers[level.index[at]]


def struck(party: Party, language: str = "en") -> list[str]:
    """Return the sentences that the log strikes, newest first."""
    page = unmarked(client_of(party, language=language).get(f"/table/{party.code}/log/"))
    return re.findall("<s>(.*?)</s>", unescape(page))


def test_the_log_strikes_undone_acts_of_dice2() -> None:
    skipped = sit_down_for("last-man")
    for at in ("e5", "d5", "e4", "d4", "e3", "d3", "e2", "d2"):
        skipped.act("place", skipped.game.player or 0, at, die=6)
    skipped.act("skip", 0, die=3)
    acts.undo(skipped.access(0), 0, request="undo-skip")
    assert struck(skipped) == ["Ana: skip, the 3 fits nowhere"]
    assert struck(skipped, "de") == ["Ana: setzt aus, die 3 passt nirgends"]
    alone = sit_down_for("square")
    alone.act("place", 0, "e5", die=3)
    acts.propose(alone.access(0), 0, 1, request="back-to-one")
    assert struck(alone) == ["Ana: 3 on e5"]
    relay = sit_down_for("relay", target=5)
    relay.act("begin", 0, shape="last-man")
    acts.undo(relay.access(0), 0, request="undo-begin")
    assert struck(relay) == ["Ana: start of Last Man Dice"]


def test_a_player_proposes_from_the_log_to_go_back(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    party.act("place", 0, party.game.legal()[0][0])
    party.act("place", 1, party.game.legal()[1][0])
    assert "?before=1" not in client.get(f"/table/{party.code}/log/").content.decode()
    ana, ben = client_of(party, 0), client_of(party, 1)
    page = ana.get(f"/table/{party.code}/log/?before=1").content.decode()
    assert "This takes back 2 moves" in page
    request = re.search(r'name="request" value="([^"]+)"', page)[1]
    sent = {"player": "0", "to": "1", "request": request}
    assert ana.post(f"/table/{party.code}/propose/", sent).status_code == 302
    assert party.loaded.state.proposal.to == 1
    sent = {"answer": "yes", "proposal": party.loaded.state.proposal.number}
    ben.post(f"/table/{party.code}/answer/", sent)
    assert party.loaded.state.applied == ()
    assert lines(client, party)[0].startswith("The game goes back to before")


def test_the_log_follows_the_table(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT)
    revision = party.access().table.revision
    url = f"/table/{party.code}/log/?known={revision}"
    assert client.get(url, headers=FROM_SCRIPT).status_code == 204
    party.act("place", 0, party.game.legal()[0][0])
    told = state_in(unmarked(client.get(url, headers=FROM_SCRIPT)))
    assert told["revision"] == revision + 1
    assert "Ana: 5 on b1" in told["parts"]["_log"]


def test_the_log_of_a_lobby_is_empty(client: Client) -> None:
    party = sit_down(("Ana", "Ben"), SHORT, start=False)
    assert "Nothing has happened yet" in client.get(f"/table/{party.code}/log/").content.decode()


def test_a_long_log_is_rendered_in_time(client: Client) -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dora"), "level-2")
    play_on(party, Random(1), 3)
    acts.propose(party.access(0), 0, 3, request="far-back")
    number = party.loaded.state.proposal.number
    for player in (1, 2, 3):
        acts.answer(party.access(player), True, proposal=number, request=f"agree-{player}")
    page = client.get(f"/table/{party.code}/log/").content.decode()
    entries = party.loaded.entries
    struck = [n for n in party.loaded.state.struck if is_act(entries[n - 1])]
    assert page.count("<s>") >= len(struck) > 10
