"""Tests of correcting a sheet after the game: tap, propose, agree, and the consequences."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sheets.groups import game_store, store
from sheets.models import Entry, GroupResult
from sheets.rules import DocumentError, RuleViolation
from sheets.rules.documents.game import format_game, history, parse_game
from sheets.rules.final_sheet import format_final_sheet
from sheets.rules.marks import marks_of
from sheets.tables import acts, countdowns
from sheets.tables.access import NotYours, Refused, Stale
from sheets.tables.corrections import Correction, Draft
from sheets.tables.event_loader import record_of
from sheets.tables.log_page import log_lines
from sheets.text.symbols import MARK_NAMES
from tests.page_text import unmarked
from tests.table_games import RAILS, VOLCANO, Party
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


@pytest.fixture
def party() -> Party:
    """Return a table with a finished game of Ana and Ben."""
    return finished_party()


def crossed(party: Party, player: int) -> list[str]:
    """Return the fields whose only mark is a cross of the player, in order."""
    return [at for at, marks in marks_of(party.game.sheets[player]).items() if marks == ("cross",)]


def gem_of(party: Party, player: int) -> str:
    """Return a crossed field with a gem, on which the total depends."""
    level = party.game.level
    return next(
        at for at in crossed(party, player) if level.fields[level.index[at]].symbol == "gem"
    )


def draft(party: Party, changes: dict[str, str]) -> Correction:
    """Return a correction of Ben's sheet."""
    return Draft.of(party.game, 1, changes).correction


def url(party: Party, player: int) -> str:
    return f"/table/{party.code}/correct/{player}/"


def propose(party: Party, by: int, player: int, changes: dict[str, str]) -> None:
    """Propose changes of a player's sheet."""
    action = Draft.of(party.game, player, changes).correction.action
    moment = party.loaded.state.moment
    acts.propose_correction(party.access(by), by, action, moment=moment, request="")


def agree(party: Party, player: int, agrees: bool = True) -> None:
    number = party.loaded.state.proposal.number
    acts.answer(party.access(player), agrees, proposal=number, request="")


def sentences(party: Party) -> list[str]:
    return [line.sentence for line in log_lines(party.access())]


def test_a_tap_takes_a_cross_away_and_the_others_agree(party: Party) -> None:
    ana, ben = client_of(party, 0), client_of(party, 1)
    at, before = gem_of(party, 1), party.game.scores()
    page = unmarked(ana.get(f"/table/{party.code}/"))
    assert url(party, 0) in page
    shown = ana.post(url(party, 1), {"at": at})
    assert f'name="change" value="{at}="' in unmarked(shown)
    sent = {"change": [f"{at}="], "propose": "1", "moment": shown.context["moment"]}
    numbers = {one.place: str(one.chosen) for one in shown.context["draft"].numbers}
    answer = ana.post(url(party, 1), sent | numbers)
    assert answer.status_code == 302
    # Nothing has changed until Ben agrees.
    assert party.game.scores() == before
    asked = unmarked(ben.get(f"/table/{party.code}/"))
    assert "Ana proposes to correct the sheet of Ben:" in asked
    assert f"{at}: open" in asked
    agree(party, 1)
    after = party.game.scores()
    assert after[0] == before[0]
    assert after[1].total < before[1].total
    assert at not in crossed(party, 1)
    results = unmarked(ben.get(f"/table/{party.code}/"))
    assert f"<b>{after[1].total}</b>" in results
    assert "All agreed with Ana: the sheet of Ben is corrected." in results
    assert "Corrected after the game: Ben" in results
    assert sentences(party)[:3] == [
        "Ben: sheet corrected after the game",
        "Ben agrees",
        "Ana proposes to correct the sheet of Ben",
    ]


def test_on_rails_a_tap_asks_which_track_is_there() -> None:
    party = finished_party(level=RAILS)
    ana, level = client_of(party, 0), party.game.level
    at, shape = next(
        (level.fields[index].name, shape)
        for index, shape in party.game.sheets[0].tracks.items()
        if not level.printed >> index & 1
    )
    asked = ana.post(url(party, 0), {"at": at}).content.decode()
    assert f"Which track is on {at}?" in asked
    other = "NS" if shape == "EW" else "EW"
    for value, said in ((other, MARK_NAMES[other]), ("", "open")):
        page = ana.post(url(party, 0), {"at": at, "value": value}).content.decode()
        assert f'name="change" value="{at}={value}"' in page
        assert f"<li>{at}: {said}</li>" in page


def test_lava_and_exploded_bombs_can_be_corrected() -> None:
    party = finished_party(level=VOLCANO)
    sheet, level = party.game.sheets[0], party.game.level
    free = level.crossable & ~(sheet.crosses | sheet.exploded | sheet.lava)
    at = level.names(free)[0]
    page = client_of(party, 0).post(url(party, 0), {"at": at, "pen": "lava"}).content.decode()
    assert f"<li>{at}: lava</li>" in page
    sent = {"at": crossed(party, 0)[0], "pen": "lava"}
    page = client_of(party, 0).post(url(party, 0), sent).content.decode()
    assert "Take it away first, then pour the lava." in page
    propose(party, 0, 0, {at: "lava"})
    agree(party, 1)
    assert at in level.names(party.game.sheets[0].lava)


def test_a_wrongly_circled_number_is_corrected(party: Party) -> None:
    sheet, track = party.game.sheets[1], party.game.level.number_tracks["flag red"]
    other = next(number for number in track.numbers if number != track.circled(sheet))
    propose(party, 0, 1, {"flag red": str(other)})
    assert f"red flag: {other}" in client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    agree(party, 1)
    assert track.circled(party.game.sheets[1]) == other
    (line,) = [line for line in log_lines(party.access()) if line.effects][:1]
    assert line.effects == ["Another number is circled on the sheet of Ben."]


def test_a_no_leaves_the_sheet_as_it_is(party: Party) -> None:
    before = party.game
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1, agrees=False)
    assert party.game.sheets == before.sheets
    assert party.loaded.state.proposal is None


def test_the_winner_follows(party: Party) -> None:
    winner = party.game.outcome().winners[0]
    changes = dict.fromkeys(crossed(party, winner), "")
    propose(party, winner, winner, changes)
    agree(party, 1 - winner)
    assert party.game.outcome().winners == (1 - winner,)


def test_the_file_of_the_game_has_the_correction(party: Party) -> None:
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1)
    document = json.loads(json.dumps(format_game(record_of(party.access()))))
    assert document["actions"][-1]["do"] == "correct"
    *_others, last = history(parse_game(document))
    assert list(map(format_final_sheet, last.sheets)) == list(
        map(format_final_sheet, party.game.sheets)
    )
    sheets = client_of(party, 0).get(f"/table/{party.code}/sheets.json").json()
    assert gem_of_document(document, party) not in sheets["sheets"][1]["crosses"]


def test_the_group_gets_the_correction_and_keeps_the_date(party: Party) -> None:
    group = store.find(store.create("Family"))
    game = game_store.add_game(group, party.access().table)

    def kept() -> list[int | None]:
        game_store.update_changed_games(group.resource)
        return [one.points for one in GroupResult.objects.filter(game=game).order_by("seat")]

    played = timezone.now() - timedelta(days=2)
    Entry.objects.filter(table__code=party.code).update(made=played)
    before = kept()
    assert before == [score.total for score in party.game.scores()]
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1)
    assert kept() == [score.total for score in party.game.scores()] != before
    game.refresh_from_db()
    assert game.played == played


def test_a_second_correction_waits_until_the_first_is_decided(party: Party) -> None:
    propose(party, 0, 1, {gem_of(party, 1): ""})
    at, moment = gem_of(party, 0), party.loaded.state.moment
    sent = {"change": f"{at}=", "propose": "1", "moment": moment}
    answer = client_of(party, 1).post(url(party, 0), sent)
    assert answer.status_code == 409
    assert "Another proposal waits for answers." in unmarked(answer)
    with pytest.raises(Refused, match="proposal-waits"):
        acts.propose(party.access(1), 1, party.loaded.state.applied[-1], request="")
    assert party.loaded.state.proposal.player == 0
    agree(party, 1)
    propose(party, 0, 0, {at: ""})
    page = unmarked(client_of(party, 1).get(f"/table/{party.code}/"))
    assert "Ana proposes to correct their own sheet:" in page
    screen = unmarked(client_of(party, 1).get(f"/table/{party.code}/screen/"))
    assert "Ana proposes to correct their own sheet:" in screen


def test_the_host_decides_a_legal_correction_after_a_countdown(party: Party) -> None:
    propose(party, 0, 1, {gem_of(party, 1): ""})
    number = party.loaded.state.proposal.number
    acts.start_countdown(party.access(), proposal=number, request="")
    Entry.objects.filter(table__code=party.code).update(made=timezone.now() - countdowns.COUNTDOWN)
    page = unmarked(client_of(party, 0).get(f"/table/{party.code}/"))
    assert "Correct the sheet without Ben …" in page
    acts.decide_alone(party.access(), proposal=number, request="")
    assert party.loaded.state.answered.alone
    assert sentences(party)[0] == "Ben: sheet corrected after the game (decided by Ana)"


def gem_of_document(document: dict[str, Any], party: Party) -> str:
    """Return the field that the last action of a document has opened again."""
    *_others, before, after = history(parse_game(document))
    (at,) = set(marks_of(before.sheets[1])) - set(marks_of(after.sheets[1]))
    return at


def test_a_correction_that_no_legal_game_allows_needs_all_players(party: Party) -> None:
    # No die can have come to a field whose way there is not crossed, nor to a lock without its key.
    at = next(at for at in crossed(party, 1) if draft(party, {at: ""}).doubts)
    propose(party, 0, 1, {at: ""})
    page = client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    assert "No legal game leads to this sheet, so every player has to agree." in page
    number = party.loaded.state.proposal.number
    with pytest.raises(Refused, match="needs-everybody"):
        acts.start_countdown(party.access(), proposal=number, request="")
    with pytest.raises(Refused, match="needs-everybody"):
        acts.decide_alone(party.access(), proposal=number, request="")
    agree(party, 1)
    assert at not in crossed(party, 1)


def test_going_back_to_before_a_correction_takes_it_away(party: Party) -> None:
    before = party.game
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1)
    number = party.loaded.state.applied[-1]
    acts.propose(party.access(), 0, number, request="")
    page = client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    assert "will be open again" not in page
    agree(party, 1)
    assert party.game.sheets == before.sheets
    assert party.game.is_finished


def test_going_back_into_the_game_and_forward_again_keeps_the_correction(party: Party) -> None:
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1)
    corrected = party.game
    acts.propose(party.access(), 0, party.loaded.state.applied[0], request="")
    agree(party, 1)
    assert not party.game.is_finished
    back = party.loaded.state.rewinds[-1].number
    acts.propose_forward(party.access(), 0, back, request="")
    agree(party, 1)
    assert party.game == corrected


def test_undo_takes_no_correction_back(party: Party) -> None:
    propose(party, 0, 0, {gem_of(party, 0): ""})
    agree(party, 1)
    corrected = party.game
    for player in range(2):
        with pytest.raises(Refused):
            acts.undo(party.access(player), player, request="")
    assert party.game == corrected


def test_a_sheet_is_corrected_after_the_game_by_its_players_alone(party: Party) -> None:
    visitor = Client().get(url(party, 0))
    assert visitor.headers["Location"] == f"/table/{party.code}/"
    assert client_of(party, 0).get(url(party, 2)).status_code == 404
    action = Draft.of(party.game, 1, {gem_of(party, 1): ""}).correction.action
    moment = party.loaded.state.moment
    with pytest.raises(NotYours):
        acts.propose_correction(party.access(1), 0, action, moment=moment, request="")
    with pytest.raises(Stale):
        acts.propose_correction(party.access(), 0, action, moment="1-open", request="")
    acts.propose(party.access(), 0, party.loaded.state.applied[-1], request="")
    agree(party, 1)
    with pytest.raises(Refused, match="not-over"):
        acts.propose_correction(party.access(), 0, action, moment=moment, request="")
    answer = client_of(party, 0).get(url(party, 0))
    assert answer.headers["Location"] == f"/table/{party.code}/"


def test_a_proposal_made_on_an_older_sheet_is_refused_and_keeps_the_changes(party: Party) -> None:
    moment, at = party.loaded.state.moment, gem_of(party, 0)
    propose(party, 0, 1, {gem_of(party, 1): ""})
    agree(party, 1)
    sent = {"change": f"{at}=", "propose": "1", "moment": moment}
    answer = client_of(party, 0).post(url(party, 0), sent)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert 'role="alert"' in page
    assert f'name="change" value="{at}="' in page
    assert party.loaded.state.proposal is None


@pytest.mark.parametrize(
    "sent",
    [{"at": "z9"}, {"change": "c4=die-1"}, {"change": "z9=cross"}, {"at": "c4", "value": "x"}],
)
def test_impossible_marks_are_refused(party: Party, sent: dict[str, str]) -> None:
    assert client_of(party, 0).post(url(party, 0), sent).status_code == 400


def test_a_document_with_an_impossible_or_early_correction_is_refused(party: Party) -> None:
    document = format_game(record_of(party.access()))
    wrong = {"do": "correct", "player": 0, "crosses": ["z9"]}
    with pytest.raises(DocumentError, match="unknown-field"):
        parse_game({**document, "actions": [*document["actions"], wrong]})
    circled = {"do": "correct", "player": 0, "flags": {"red": 99}}
    with pytest.raises(DocumentError, match="not-on-track"):
        parse_game({**document, "actions": [*document["actions"], circled]})
    early = {"do": "correct", "player": 0, "crosses": []}
    with pytest.raises(RuleViolation, match="not-now"):
        list(history(parse_game({**document, "actions": [early]})))
