"""Tests of the results of a table and their exports."""

from __future__ import annotations

import csv
import io
import json
import re
from io import BytesIO
from random import Random
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from sheets.documents.structure import read_game, read_sheets
from sheets.models import Seat
from sheets.rules.documents.game import parse_game, replay_record
from sheets.scoring.sentences import GRADES
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import find_access
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.scoring.scoring_pages import details
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.table_games import Party, play_on, random_choice, random_move, sit_down
from tests.tables.table_clients import SHORT, client_of, finished_party, finished_solo
from tests.web.test_weight import LIMIT_BYTES, weigh

pytestmark = pytest.mark.django_db


def totals(page: str) -> list[int]:
    row = re.search(r"<tfoot>.*?</tr>", page, re.DOTALL)
    assert row
    return [int(n.replace("−", "-")) for n in re.findall(r"<td[^>]*>\s*(−?\d+)</td>", row[0])]


@pytest.fixture
def party() -> Party:
    return finished_party()


@pytest.fixture
def finished(party: Party) -> str:
    return party.code


def results(client: Client, code: str) -> dict[str, Any]:
    """Return the state that a page of results fetches."""
    answer = client.get(f"/table/{code}/?stage=over", headers=FROM_SCRIPT)
    return state_in(unmarked(answer))


def test_totals_are_those_of_the_replayed_document(client: Client, finished: str) -> None:
    document = client.get(f"/table/{finished}/game.json").json()
    told = replay_record(parse_game(document))
    assert told["finished"]
    assert told["ok"]
    page = unmarked(client.get(f"/table/{finished}/"))
    assert totals(page) == [score["total"] for score in told["scores"]]
    winners = [document["players"][i] for i in told["winners"]]
    assert all(name in re.search('class="verdict">(.*?)<', page)[1] for name in winners)


def test_every_line_of_the_score_says_where_it_comes_from(client: Client, party: Party) -> None:
    page = client.get(f"/table/{party.code}/").content.decode()
    scores = party.game.scores()
    earned = next(item for item in scores[0].items if item.points and item.fields)
    assert f'data-lit="{" ".join(earned.fields)}"' in page


def test_result_has_one_picture_and_linked_amounts(client: Client, party: Party) -> None:
    page = client.get(f"/table/{party.code}/").content.decode()
    drawn = re.findall(r'<use href="#(art-[^"]+)"', page[page.index('class="moment') :][:3000])
    assert all(f'id="{name}"' in page for name in drawn)
    (path,) = re.findall(r'href="([^"]+)" download data-share-picture', page)
    assert client.get(path).content.startswith(b"\x89PNG")
    earned = next(item for item in party.game.scores()[1].items if item.points and item.fields)
    leads = re.findall(
        r'class="amount" href="#sheet-1"\s+data-players="1" data-lit="([^"]*)"', page
    )
    assert any(set(earned.fields) <= set(lit.split()) for lit in leads)
    assert 'id="sheet-1"' in page


def test_result_has_places_and_a_link_to_send_as_on_paper_sheets(
    client: Client, party: Party
) -> None:
    path = f"/table/{party.code}/"
    page = client.get(path).content.decode()
    winner = party.game.players[party.game.outcome().winners[0]]
    assert re.search(rf"<title>{winner} wins.* · ", page)
    ranked = re.findall(r'class="rank-name" href="#sheet-(\d)"', page)
    points = [score.total for score in party.game.scores()]
    assert [points[int(number)] for number in ranked] == sorted(points, reverse=True)
    assert re.search(rf"data-share-url>http[^<]*{path}</textarea>", page)
    assert 'data-share-act="copy"' in page
    # Exchanging fragments during a proposal keeps the parts that a script has shown there.
    assert "data-share-link" not in results(client, party.code)["parts"]["_results"]


def test_first_action_is_the_next_game_and_guests_read_how_they_get_there(
    client: Client, party: Party
) -> None:
    path = f"/table/{party.code}/"

    def first_action(page: str) -> str:
        page = page[page.index("</ol>") :]
        return re.findall(r'<(?:button|a) class="button[^"]*"[^>]*>([^<]*)<', page)[0]

    ana, guest = client_of(party), client
    page = ana.get(path).text
    assert re.findall(r'class="button primary">([^<]*)<', page) == ["Play again"]
    assert first_action(page) == "Play again"
    assert "a link to the new game appears here" in guest.get(path).text
    assert "button primary" not in guest.get(path).text
    ana.post(f"{path}again/")
    for other in (ana, guest):
        page = other.get(path).text
        assert "appears here" not in page
        assert re.findall(r'class="button primary"[^>]*>([^<]*)<', page) == ["To the next game"]
        assert first_action(page) == "To the next game"


def test_win_of_a_bot_is_stated_and_not_celebrated(client: Client) -> None:
    party = finished_party("Ana", "Ben", "Cem")
    path, winner = f"/table/{party.code}/", party.game.outcome().winners[0]
    assert "moment is-won" in unmarked(client.get(path))
    Seat.objects.filter(table__code=party.code, number=winner).update(bot="player", token_digest="")
    page = unmarked(client.get(path))
    assert 'class="verdict">The bot wins.<' in page
    assert "<title>The bot wins · " in page
    assert "moment-art" not in page
    assert "is-won" not in page
    assert "The bot wins." in unmarked(client.get(f"{path}screen/"))
    # With several bots, the name says which one.
    Seat.objects.filter(table__code=party.code, number=(winner + 1) % 3).update(bot="player")
    assert f'class="verdict">{party.game.players[winner]} wins.<' in unmarked(client.get(path))
    Seat.objects.filter(table__code=party.code, number=winner).update(bot="")
    assert "moment is-won" in unmarked(client.get(path))


def test_results_are_shown_only_after_the_game(client: Client) -> None:
    code = sit_down(level=SHORT).code
    assert 'id="_results"' not in client.get(f"/table/{code}/").content.decode()


def test_solo_has_a_grade(client: Client) -> None:
    party = finished_solo()
    rating = replay_record(event_loader.record_of(party.access()))["rating"]
    page = client.get(f"/table/{party.code}/").content.decode()
    assert str(GRADES[rating].title) in page
    assert details(page) == f"{party.game.scores()[0].total} points"
    assert 'verdict">' not in page


def test_game_can_be_read_again(client: Client, finished: str) -> None:
    answer = client.get(f"/table/{finished}/game.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    record = read_game(answer.content, lambda _id: pytest.fail("the level is in the file"))
    assert record.players == ("Ana", "Ben")


def test_sheets_score_the_same_on_paper(client: Client, finished: str) -> None:
    content = client.get(f"/table/{finished}/sheets.json").content
    paper = read_sheets(content, lambda _id: pytest.fail("the level is in the file"))
    from sheets.rules.paper_scoring import score_paper

    page = client.get(f"/table/{finished}/").content.decode()
    assert [score.total for score in score_paper(paper).scores] == totals(page)


def test_scores_are_the_same_table_as_of_sheets_on_paper(client: Client, party: Party) -> None:
    path = f"/table/{party.code}/scores.csv"
    assert f'href="{path}" download' in client.get(f"/table/{party.code}/").text
    answer = client.get(path)
    assert 'filename="dizzle-garden-' in answer.headers["Content-Disposition"]
    heads, *rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (heads[0], heads[-2:]) == ("Player", ["Total", "Crosses"])
    assert [[row[0], *map(int, row[-2:])] for row in rows] == [
        [name, score.total, score.marks]
        for name, score in zip(party.game.players, party.game.scores(), strict=True)
    ]
    assert client.get(f"/table/{sit_down_for('major').code}/scores.csv").status_code == 404


def test_pictures_and_printed_sheets(client: Client, finished: str) -> None:
    answer = client.get(f"/table/{finished}/1.png")
    assert Image.open(BytesIO(answer.content)).format == "PNG"
    assert client.get(f"/table/{finished}/2.png").status_code == 404
    assert client.get(f"/table/{finished}/sheets.pdf").content.startswith(b"%PDF")


def test_again_seats_the_same_people_once(party: Party, finished: str) -> None:
    ana, ben = client_of(party, 0), client_of(party, 1)
    assert "Play again" in ana.get(f"/table/{finished}/").content.decode()
    # A new game does not need the host's phone.
    assert "Play again" in ben.get(f"/table/{finished}/").content.decode()
    assert Client().post(f"/table/{finished}/again/").status_code == 403
    first, second = (who.post(f"/table/{finished}/again/") for who in (ben, ana))
    assert first.headers["Location"] == second.headers["Location"]
    code = first.headers["Location"].split("/")[2]
    page = ben.get(f"/table/{finished}/").content.decode()
    assert f"/table/{code}/" in page
    # The game begins at once, and Ben starts it: he sits on the first seat.
    begun = find_access(code, party.tokens[1])
    assert begun.table.has_started
    assert begun.seats == {0}
    assert [seat.name for seat in begun.all_seats] == ["Ben", "Ana"]
    # The big screen goes along.
    assert ana.get(f"/table/{finished}/screen/").url == f"/table/{code}/screen/"
    follow = ana.get(f"/table/{finished}/screen/", headers=FROM_SCRIPT)
    assert state_in(follow.content.decode())["stage"] == "next"


def test_a_solo_rematch_begins_at_once() -> None:
    party = finished_solo()
    code = seating.open_rematch(party.access())
    assert find_access(code).table.has_started


def test_results_follow_when_the_game_is_wound_back(
    client: Client, party: Party, finished: str
) -> None:
    access = party.access()
    assert results(client, finished)["stage"] == "over"
    known = client.get(
        f"/table/{finished}/?stage=over&known={access.table.revision}", headers=FROM_SCRIPT
    )
    assert known.status_code == 204
    acts.propose(access, 0, 1, request="back-to-one")
    page = unmarked(client_of(party, 1).get(f"/table/{finished}/"))
    assert "Ana proposes to go back" in page
    sent = {"answer": "yes", "proposal": party.loaded.state.proposal.number}
    client_of(party, 1).post(f"/table/{finished}/answer/", sent)
    assert results(client, finished)["stage"] == "play"


def test_results_speak_german_without_leftovers(party: Party, finished: str) -> None:
    ana = client_of(party, 0, "de")
    page = ana.get(f"/table/{finished}/").content.decode()
    for english in ("Step through", "The sheets", "Share and save", "Play again"):
        assert english not in page, english


def test_visitors_can_only_look_at_results(client: Client, finished: str) -> None:
    for path in ("game.json", "sheets.json", "sheets.pdf", "0.png", "history/"):
        assert client.post(f"/table/{finished}/{path}").status_code == 405, path


def test_a_running_game_can_be_exported(client: Client) -> None:
    party = sit_down(level=SHORT)
    code = party.code
    party.act("place", 0, party.game.legal()[0][0])
    assert len(json.loads(client.get(f"/table/{code}/game.json").content)["actions"]) == 1
    assert client.get(f"/table/{code}/sheets.json").status_code == 200


@pytest.mark.parametrize("path", ["", "history/?at=20", "log/", "screen/"])
@pytest.mark.parametrize("level", ["level-4", "level-7", "level-8"])
def test_first_load_of_four_sheets_stays_small(level: str, path: str) -> None:
    party = sit_down(("Ana", "Ben", "Cem", "Dora"), level)
    play_on(party, Random(1), 2)
    if not path:
        while party.game.phase != "finished":
            move = random_move(party.game, Random(1), random_choice(Random(1)), may_place=False)
            more = {"die": move.die, "shape": move.shape}
            by = party.game.start_player if move.do == "erupt" else max(move.player, 0)
            party.act(move.do, move.player, move.at, by=by, **more)
    client = client_of(party)
    parts = weigh(client, f"/table/{party.code}/{path}")
    assert sum(parts.values()) < LIMIT_BYTES, parts
