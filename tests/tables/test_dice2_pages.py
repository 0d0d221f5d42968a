"""Pages of tables of Dice²: with and without script, refusals, files, screen and log."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sheets.models import Seat
from sheets.rules.dice2.game import legal_fields
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import find_access
from sheets.tables.countdowns import COUNTDOWN
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.dice2.board_view import view_board
from sheets.tables.dice2.moves import moves_of
from tests.app_dice import let_app_throw
from tests.dice2_tables import DiceParty, sit_down_for
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT, state_in
from tests.tables.table_clients import client_of
from tests.web.test_weight import LIMIT_BYTES, weigh

pytestmark = pytest.mark.django_db


def send(party: DiceParty, player: int, **what: Any) -> Any:
    """Return the response to an act that the script of a player's page sends."""
    moment = party.loaded.state.moment
    sent: dict[str, Any] = {"do": "place", "player": player, "moment": moment, **what}
    client = client_of(party, player)
    return client.post(f"/table/{party.code}/act/", sent, headers=FROM_SCRIPT)


def page(party: DiceParty, player: int = 0, query: str = "", language: str = "en") -> str:
    """Return the table's page for a player."""
    answer = client_of(party, player, language).get(f"/table/{party.code}/{query}")
    assert answer.status_code == 200
    return unmarked(answer)


@pytest.mark.parametrize("game", ["square", "four-wins", "last-man", "major", "relay"])
def test_table_for_each_game_can_be_opened(client: Client, game: str) -> None:
    assert client.get(f"/dice2/?game={game}").status_code == 200
    sent = {"game": game, "dice": "typed", "players": "2", "target": "7", "name": "Ana"}
    answer = client.post("/dice2/", sent)
    assert answer.status_code == 302
    table = find_access(answer.url.split("/")[2]).table
    assert (table.game, table.target) == (game, 7 if game == "relay" else 0)
    assert client.get(answer.url).status_code == 200


def test_result_has_winner_lead_podium_and_button_for_another_game() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"))
    party.play_on()
    game = party.game.game
    assert game
    first, second, third = sorted(game.markers, reverse=True)
    assert first > second > third
    text = page(party)
    winner = party.game.players[game.winners[0]]
    assert f"{winner} wins with {first} markers." in text
    assert f"{first - second} ahead of {party.game.players[game.markers.index(second)]}." in text
    assert re.findall(r'class="podium-step podium-(\d)"', text) == ["1", "2", "3"]
    assert re.findall(r'class="rank-total">(\d+)<', text) == [str(first), str(second), str(third)]
    assert re.findall(r'class="button primary big">([^<]*)<', text) == ["Play again"]
    # Only the win counts here, so there is nothing to compare.
    last_man = sit_down_for("last-man")
    last_man.play_on()
    assert "podium" not in page(last_man).partition("<body")[2]


def test_result_of_a_relay_names_the_lead_in_points() -> None:
    party = sit_down_for("relay", ("Ana", "Ben"), target=5)
    while (relay := party.game.relay) and not relay.winners:
        party.act("begin", relay.next_starter or 0, by=0, shape="last-man")
        party.play_on(games=1)
    assert relay
    more, less = max(relay.points), min(relay.points)
    loser = party.game.players[relay.points.index(less)]
    text = page(party)
    assert f"{more} points, {more - less} ahead of {loser}." in text
    assert text.index("wins the relay.") < text.index("ahead of") < text.index("podium-1")


def test_win_of_a_bot_is_stated_and_not_celebrated() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"))
    party.play_on()
    game = party.game.game
    assert game
    winner = game.winners[0]
    person = (winner + 1) % 3
    client = client_of(party, person)
    path = f"/table/{party.code}/"
    assert 'class="verdict"' in unmarked(client.get(path))
    seats = Seat.objects.filter(table__code=party.code)
    seats.filter(number=winner).update(bot="player", token_digest="")
    for shown in (unmarked(client.get(path)), unmarked(client.get(f"{path}screen/"))):
        assert "The bot wins with " in shown
        assert "verdict is-plain" in shown
    # With several bots, the name says which one.
    seats.filter(number=(winner + 2) % 3).update(bot="player", token_digest="")
    assert f"{party.game.players[winner]} wins with " in unmarked(client.get(path))


def test_malformed_table_is_not_opened(client: Client) -> None:
    for sent in ({}, {"game": "chess", "dice": "typed"}, {"game": "square", "dice": "table"}):
        assert client.post("/dice2/", sent).status_code == 400


def test_number_and_field_place_a_die() -> None:
    party = sit_down_for("four-wins")
    answer = send(party, 0, die=3, at="e5")
    assert answer.status_code == 200
    state = state_in(answer.content.decode())
    assert 'data-die="e5"' in state["parts"]["_board"]
    assert state["moment"] == party.loaded.state.moment


def test_refusal_names_the_rule_and_the_die_in_the_way() -> None:
    party = sit_down_for("four-wins")
    send(party, 0, die=3, at="e5")
    answer = send(party, 1, die=2, at="f5")
    assert answer.status_code == 422
    refusal = state_in(answer.content.decode())["refusal"]
    assert (refusal["rule"], refusal["at"], refusal["by"]) == ("row-order", "f5", "e5")
    assert refusal["url"].endswith("#row-order")
    assert "the 3 on e5" in refusal["sentence"]


def test_field_without_a_number_asks_for_it() -> None:
    party = sit_down_for("four-wins")
    answer = send(party, 0, at="e5")
    assert answer.status_code == 422
    assert party.game.game.board.is_empty


def test_number_that_fits_nowhere_offers_the_skip() -> None:
    party = sit_down_for("last-man")
    for at in ("e5", "d5", "e4", "d4", "e3", "d3", "e2", "d2"):
        party.act("place", party.game.player or 0, at, die=6)
    text = page(party)
    assert 'id="die-3"' in text
    legal = party.game.game.legal()
    assert sorted({bool(fields) for fields in legal.values()}) == [False, True]
    for die in range(1, 7):
        assert (f"skips-{die}" in text) == (not legal[die])


def test_app_throws_and_offers_only_fields_that_fit() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    thrown = party.game.thrown
    text = page(party)
    assert f"place the {thrown}" in text
    assert 'id="die-3"' not in text
    # A number that the client sends is ignored.
    send(party, 0, die=thrown % 6 + 1, at="e5")
    assert party.game.game.board.numbers[40] == thrown


def test_page_explains_on_request_why_a_field_takes_no_other_numbers() -> None:
    party = sit_down_for("four-wins")
    send(party, 0, die=3, at="e5")
    assert "f5 takes 3 to 6: left of it lies the 3 on e5." in page(party, 1, "?why=f5")
    send(party, 1, die=3, at="f5")
    send(party, 0, die=4, at="f6")
    assert "e6 takes 3 or 4: right of it lies the 4 on f6, above it lies the 3 on e5." in page(
        party, 0, "?why=e6"
    )
    assert "too far away" in page(party, 0, "?why=a1")
    assert 'class="alert field-answer"' not in page(party, 0, "?why=zz")


def test_field_asked_about_is_marked_with_the_dice_in_its_way() -> None:
    party = sit_down_for("four-wins")
    for at, die in (("e5", 3), ("f5", 3), ("f6", 4)):
        party.act("place", party.game.player or 0, at, die=die)
    text = page(party, 1, "?why=e6")
    assert 'class="art-field asked" data-field="e6"' in text
    assert re.findall(r'class="die in-the-way" data-die="(\w+)"', text) == ["e5", "f6"]
    assert "in-the-way" not in page(party, 1, "?why=a1")
    assert "art-field asked" not in page(party, 1)


def test_without_script_the_question_mark_leads_to_the_answer() -> None:
    party = sit_down_for("four-wins")
    answer = client_of(party).post(f"/table/{party.code}/act/", {"die": "why", "at": "e5"})
    assert answer.status_code == 302
    assert answer.url.endswith("?why=e5")


def test_without_script_an_act_leads_back_to_the_table() -> None:
    party = sit_down_for("four-wins")
    sent = {"do": "place", "player": 0, "die": 3, "at": "e5",
            "moment": party.loaded.state.moment}  # fmt: skip
    assert client_of(party).post(f"/table/{party.code}/act/", sent).status_code == 302
    assert party.game.player == 1


@pytest.mark.parametrize(
    "sent",
    [{"do": "roll"}, {"do": "tap", "at": "e5"}, {"do": "place", "at": "e5", "die": "9"},
     {"do": "begin", "shape": "NS"}, {"do": "begin", "shape": "square"}, {"do": "throw", "die": 3},
     {"do": "place", "at": "5e", "die": 3}],
)  # fmt: skip
def test_acts_of_other_games_are_malformed(sent: dict[str, Any]) -> None:
    party = sit_down_for("relay", target=5)
    assert send(party, 0, **sent).status_code == 400


def test_dizzle_tables_refuse_a_skip(client: Client) -> None:
    from tests.table_games import sit_down

    party = sit_down()
    sent = {"do": "skip", "player": 0, "die": 3, "moment": party.loaded.state.moment}
    assert client_of(party).post(f"/table/{party.code}/act/", sent).status_code == 400


def test_visitor_sees_the_board_and_cannot_act(client: Client) -> None:
    party = sit_down_for("four-wins")
    assert client.get(f"/table/{party.code}/").status_code == 200
    sent = {"do": "place", "player": 0, "die": 3, "at": "e5",
            "moment": party.loaded.state.moment}  # fmt: skip
    assert client.post(f"/table/{party.code}/act/", sent).status_code == 403


def test_page_has_no_parts_of_dizzle_sheets() -> None:
    party = sit_down_for("four-wins")
    for name in ("sheets.json", "sheets.pdf", "0.png"):
        assert client_of(party).get(f"/table/{party.code}/{name}").status_code == 404
    # Their keys are missing, too.
    assert "By keyboard: arrow keys lead from field to field" not in page(party)


@pytest.mark.parametrize("game", ["square", "last-man", "relay"])
def test_log_screen_and_steps_are_shown(game: str) -> None:
    party = sit_down_for(game, dice="rolled", target=5)
    if game == "relay":
        assert client_of(party).get(f"/table/{party.code}/screen/").status_code == 200
        party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    client = client_of(party)
    for name in ("screen/", "log/", "history/", "history/?at=3", "history/?at=9999", ""):
        assert client.get(f"/table/{party.code}/{name}").status_code == 200
    assert client.get("/").status_code == 200


def test_steps_of_a_relay_begin_at_its_first_game() -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="last-man")
    party.play_on(games=1)
    for at, number in ((0, 1), (1, 1), (9, 1)):
        text = client_of(party).get(f"/table/{party.code}/history/?at={at}").content.decode()
        assert f"Game {number} of 1" in " ".join(text.split())
        assert text.count('aria-current="step"') == 1


def log_of(party: DiceParty) -> list[str]:
    """Return the texts of the log's lines, the newest first."""
    text = unmarked(client_of(party).get(f"/table/{party.code}/log/"))
    lines = re.findall(r'<li id="entry-.*?(?=<li id="entry-|</ol>)', text, re.DOTALL)
    lines = [re.sub(r"<a .*?</a>", "", line, flags=re.DOTALL) for line in lines]
    return [" ".join(re.sub("<[^>]*>", " ", line).split()) for line in lines]


def test_log_of_the_apps_dice_has_a_line_for_each_move_with_its_number() -> None:
    party = sit_down_for("major", dice="rolled")
    first = party.game.thrown
    assert not log_of(party)
    party.act("place", 0, "e5")
    assert log_of(party) == [f"Ana: {first} on e5"]
    number = party.loaded.state.applied[-2]
    acts.propose(party.access(0), 0, number, request="back-again")
    asked = party.loaded.state.proposal.number
    acts.answer(party.access(1), True, proposal=asked, request="back-agreed")
    assert any(f"before “Ana: {first} on e5”" in line for line in log_of(party))
    party.play_on()
    lines = log_of(party)
    moves = moves_of(party.loaded)
    assert sum(bool(re.search(r": [1-6] on|skip, the", line)) for line in lines) > len(moves)
    assert not any("rolls" in line for line in lines)
    # The line of a move includes its markers and the end of the game.
    assert party.game.game.winners
    verdict = dice2_words.verdict(party.game.game, party.game.players)
    assert verdict in lines[0]
    runs = len(party.game.game.scored_runs)
    assert sum(line.count("marker") for line in lines) - verdict.count("marker") >= runs


def test_stepping_through_a_relay_goes_move_by_move_and_jumps_to_its_games() -> None:
    party = sit_down_for("relay", dice="rolled", target=5)
    for _ in range(2):
        starter = party.game.relay.next_starter
        party.act("begin", starter or 0, by=0, shape="last-man")
        party.play_on(games=1)
    moves = moves_of(party.loaded)
    begins = [at for at, move in enumerate(moves, start=1) if move.action.do == "begin"]
    client = client_of(party)

    def shown(at: int) -> str:
        return unmarked(client.get(f"/table/{party.code}/history/?at={at}"))

    text = shown(1)
    assert f"move 1 of {len(moves)}" in text
    assert "Game 1 of 2" in text
    for number, (begin, end) in enumerate(zip(begins, (begins[1] - 1, len(moves)), strict=True), 1):
        assert f'<a href="?at={begin}"' in text
        assert f'href="?at={end}">' in text
        assert f"Game {number} of 2" in shown(begin)
    assert re.search(rf'data-step="pass-on"\s+href="\?at={begins[1]}"', text)
    last = shown(len(moves))
    assert dice2_words.verdict(party.game.game, party.game.players) in last
    assert last.count('class="last-ring"') == 2  # of either player


def test_page_lists_acts_of_others_since_the_own_move() -> None:
    party = sit_down_for("major", ("Ana", "", ""), dice="rolled", start=False)
    for seat in (1, 2):
        seating.seat_bot(party.access(), seat, "greedy")
    acts.start(party.access())
    party.act("place", 0, "e5")
    happened = view_board(party.access()).recent_moves
    dice = {at: die for at, (_owner, die) in view_board(party.access()).board.dice.items()}
    assert [move.sentence for move in happened] == [
        f"Bot {number}: {dice[move.at]} on {move.at}"
        for number, move in zip((2, 3), happened, strict=True)
    ]
    text = page(party)
    assert all(move.sentence in text for move in happened)
    assert text.count('class="last-ring"') == 3
    # Equal words for another move are new elements, so that screen readers announce them.
    keys = set()
    for _ in range(2):
        keys |= set(re.findall(r'data-key="(now [^"]+)"', page(party)))
        game = party.game
        party.act("place", 0, game.game.legal()[game.thrown][0])
    assert len(keys) == 2


def test_log_of_a_solo_game_mentions_no_other_players() -> None:
    alone, two = sit_down_for("square"), sit_down_for("four-wins")
    for party, is_alone in ((alone, True), (two, False)):
        party.act("place", 0, "e5", die=3)
        log = client_of(party).get(f"/table/{party.code}/log/?before=1").content.decode()
        assert ("you go back to before a move" in log) == is_alone
        for words in ("propose to the others", "if everyone at the table agrees", "Propose it"):
            assert (words in log) != is_alone


def test_big_screen_says_who_starts_the_relays_next_game(client: Client) -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="last-man")
    assert "starts the next game" not in unmarked(client.get(f"/table/{party.code}/screen/"))
    party.play_on(games=1)
    name = party.game.players[party.game.relay.next_starter or 0]
    text = unmarked(client.get(f"/table/{party.code}/screen/"))
    assert f"{name} starts the next game." in text


@pytest.mark.parametrize(
    ("game", "is_asked"), [("last-man", True), ("square", False), ("relay", False)]
)
def test_who_starts_is_asked_before_a_single_game_of_several(game: str, is_asked: bool) -> None:
    names = ("Ana",) if game == "square" else ("Ana", "Ben")
    party = sit_down_for(game, names, target=5, start=False)
    client = client_of(party)
    assert ("Who starts?" in page(party)) == is_asked
    last = "starter" if is_asked else "nothing"
    assert client.post(f"/table/{party.code}/start/", {last: "1"}).status_code == 302
    if game == "relay":
        party.act("begin", 0, shape="last-man")
    assert party.game.player == int(is_asked)
    while not party.game.is_finished:
        party.play_on()
        if not party.game.is_finished:
            party.act("begin", party.game.relay.next_starter or 0, by=0, shape="last-man")
    over = page(party)
    assert ("Who starts?" in over) == is_asked
    how = {"square": r"\d+ points?", "relay": r"\w+ wins the relay\."}
    assert re.search("Results: " + how.get(game, "(Ana|Ben) wins"), unmarked(client.get("/")))
    # The other player is proposed, and both start at once; the big screen follows.
    assert not is_asked or re.search(r'value="0"\s+checked', over)
    known = find_access(party.code).table.revision
    there = client.post(f"/table/{party.code}/again/", {"starter": "1"}).url
    again = find_access(there.split("/")[2])
    assert again.table.has_started
    screen = client.get(f"/table/{party.code}/screen/")
    assert screen.url == f"{there}screen/"
    news = client.get(f"/table/{party.code}/screen/?known={known}", headers=FROM_SCRIPT)
    assert state_in(unmarked(news))["stage"] == "next"
    assert client.post(f"/table/{party.code}/start/", {"starter": "x"}).status_code == 400
    assert client.post(f"/table/{party.code}/again/", {"starter": "-1"}).status_code == 400


def test_automatic_skip_is_announced_to_its_player() -> None:
    party = sit_down_for("square", dice="rolled")
    while not party.game.is_finished:
        at = party.game.game.legal()[party.game.thrown][0]
        party.act("place", 0, at)
    last = moves_of(party.loaded)[-1].action
    if last.do == "skip":  # all 16 dice seldom lie
        assert f"Ana: skip, the {last.die} fits nowhere." in page(party)
        assert "The last die fits nowhere: that ends the game." in page(party)
    else:  # all dice lie, or no number fits anywhere
        game = party.game.game
        assert not game.dice_left[0] or not any(legal_fields(game, die) for die in range(1, 7))
    two = sit_down_for("last-man")
    for move in ("4e5", "4e6", "4f5", "1d6", "1f4", "4f6", "1g4", "4g6", "1d5", "4g5", "1g3"):
        two.act("place", two.game.player or 0, move[1:], die=int(move[0]))
    for player in (0, 1):
        assert "Ben: skip, nothing fits." in page(two, player)


def test_best_of_square_dice_counts_only_games_with_dice_of_the_app() -> None:
    party = sit_down_for("square", dice="rolled")
    party.play_on()
    points = party.game.game.points[0]
    found = f'data-square="{points}"'
    assert found in page(party)
    assert found not in Client().get(f"/table/{party.code}/").content.decode()
    assert "data-square" not in page(sit_down_for("square"))


def test_lone_player_cannot_go_back_before_dice_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of other dice, all 16 may fit; after the last one, nothing more is rolled.
    numbers = Random(1)
    let_app_throw(monkeypatch, lambda: numbers.randint(1, 6))
    party = sit_down_for("square", dice="rolled")
    sentence = "if you play alone with the app’s dice, a roll that you have seen stays."
    for move in (1, 99):
        party.play_on() if move > 1 else party.act("place", 0, "e5")
        assert "#propose" not in page(party)
        client = client_of(party)
        log = client.get(f"/table/{party.code}/log/?before=2").content.decode()
        assert sentence in log
        assert "#propose" not in log
        assert 'id="propose"' not in log
        before = party.game
        for number in party.loaded.state.applied[:-1]:
            answer = client.post(f"/table/{party.code}/propose/", {"player": 0, "to": number})
            assert answer.status_code == 409
            assert sentence in answer.content.decode()
        assert party.game == before
    # This page offers a new game, too.
    assert f'action="/table/{party.code}/again/"' in log
    begun = client.post(f"/table/{party.code}/again/").headers["Location"]
    assert DiceParty(begun.split("/")[2], party.tokens).game.game.board.is_empty


@pytest.mark.parametrize(("dice", "names"), [("typed", ("Ana",)), ("rolled", ("Ana", "Ben"))])
def test_players_with_real_dice_or_an_agreement_can_go_back(
    dice: str, names: tuple[str, ...]
) -> None:
    party = sit_down_for("square" if len(names) == 1 else "four-wins", names, dice=dice)
    party.act("place", 0, "e5", **({"die": 3} if dice == "typed" else {}))
    client = client_of(party)
    log = client.get(f"/table/{party.code}/log/").content.decode()
    assert "a roll that you have seen stays" not in log
    number = moves_of(party.loaded)[0].number
    assert f"?before={number}#propose" in log
    client.post(f"/table/{party.code}/propose/", {"player": 0, "to": number})
    if party.loaded.state.proposal:
        acts.answer(
            party.access(1), True, proposal=party.loaded.state.proposal.number, request="agreed"
        )
    assert party.game.game.board.is_empty


def test_a_shared_phone_goes_back_and_the_result_says_so() -> None:
    party = sit_down_for("last-man", dice="rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(party.access(), 1, "Ben", party.tokens[0])
    acts.start(party.access())
    party.act("place", 0, "e5")
    number = view_board(party.access()).proposes_from
    assert number
    acts.propose(party.access(), 0, number, request="once-more")
    assert party.game.game.board.is_empty
    for _move in range(99):
        if party.game.is_finished:
            break
        sitting = party.game
        fields = sitting.game.legal()[sitting.thrown]
        party.act("place", sitting.player, fields[0], by=0)
    assert "has gone back once" in page(party)
    assert "einmal" in page(party, language="de")


def test_relay_page_has_its_file_and_links_to_home() -> None:
    party = sit_down_for("relay", target=5)
    text = page(party)
    assert "The first game" in text
    assert "The next game" not in text
    assert 'popovertarget="site-nav"' in text[text.index('id="_top"') :]
    assert '<a href="/dice2/">' in text[text.index('id="site-nav"') :]
    party.act("begin", 0, shape="last-man")
    assert "The relay as a file" in page(party)
    party.play_on(games=1)
    assert "The next game" in page(party)


def test_all_lines_that_can_still_pay_can_be_highlighted() -> None:
    party = sit_down_for("square")
    for at, die in (("e5", 3), ("f5", 3), ("e6", 3)):
        party.act("place", 0, at, die=die)
    scored = view_board(party.access()).scored
    fields = {line.fields for line in (*scored.open_lines, *scored.other_lines)}
    assert len(fields) == scored.open_count
    assert f"{len(scored.other_lines)} more lines" in page(party)
    lit = re.findall(r'data-lit="([^"]+)"', page(party))
    assert {tuple(one.split()) for one in lit} == fields
    # There are no dice of other players to distinguish.
    assert 'aria-label="e5, 3"' in page(party)


def test_going_back_is_proposed_where_the_app_has_thrown() -> None:
    two = sit_down_for("four-wins", dice="rolled")
    two.act("place", 0, "e5")
    assert 'aria-label="Propose to go back"' in page(two)
    assert 'aria-label="Propose to go back"' not in page(two, 1)


def test_relay_shows_points_and_who_starts_next() -> None:
    party = sit_down_for("relay", target=5, has_handicap=True)
    assert "Who starts?" in page(party)
    party.act("begin", 0, shape="last-man")
    party.play_on(games=1)
    relay = party.game.relay
    assert relay
    text = page(party)
    assert f"{party.game.players[relay.next_starter or 0]} starts." in text
    assert "Last Man Dice" in text
    assert "Who starts?" not in text


@pytest.mark.parametrize("game", ["four-wins", "relay"])
def test_table_is_exported_and_continued_from_its_file(game: str) -> None:
    party = sit_down_for(game, target=5)
    if game == "relay":
        party.act("begin", 1, by=0, shape="last-man")
        party.play_on(games=1)
        party.act("begin", party.game.relay.next_starter or 0, by=0, shape="four-wins")
    party.act("place", party.game.player or 0, "e5", die=3)
    text = client_of(party).get(f"/table/{party.code}/game.json").content
    client = Client()
    file = SimpleUploadedFile("game.json", text, "application/json")
    answer = client.post("/open/", {"document": file})
    assert answer.status_code == 302
    access = find_access(answer.url.split("/")[2])
    again = event_loader.load(access).state.game
    assert again.players == party.game.players
    assert again.game == party.game.game
    assert again.relay == party.game.relay
    assert client.get(answer.url).status_code == 200
    assert client.get(f"/table/{access.table.code}/game.json").content == text


def test_file_that_breaks_a_rule_is_not_opened(client: Client) -> None:
    act = {"do": "place", "player": 0, "die": 3, "at": "a1"}
    game = {"format": "dice2-game/1", "game": "four-wins", "players": ["Ana", "Ben"],
            "actions": [act]}  # fmt: skip
    answer = client.post("/open/", {"text": json.dumps(game)})
    assert answer.status_code == 400
    assert "e5" in answer.content.decode()
    answer = client.post("/open/", {"text": json.dumps(game | {"game": "chess"})})
    assert answer.status_code == 400


def test_page_is_small_enough_for_a_phone_with_one_bar() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"), dice="rolled")
    party.play_on()
    parts = weigh(client_of(party), f"/table/{party.code}/")
    assert sum(parts.values()) < LIMIT_BYTES, parts


def test_host_moves_for_an_empty_seat_on_the_page() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    seating.free_seat(party.access(1), 1)
    assert "Move for Ben: their seat is empty." in page(party)
    assert "Ben" in page(party, language="de")


def test_host_moves_for_a_player_who_does_not_react() -> None:
    party = sit_down_for("four-wins")
    party.act("place", 0, "e5", die=3)
    moment = party.loaded.state.moment
    acts.start_countdown(party.access(0), moment=moment, request="count-down-1")
    party.access().table.entries.update(made=timezone.now() - COUNTDOWN)
    assert "Move for Ben: their phone does not react." in page(party)


def test_winner_of_major_dice_stands_alone_on_the_first_step() -> None:
    party = sit_down_for("major", ("Ana", "Ben", "Cem"))
    party.play_on()
    view = view_board(party.access())
    game = view.played._replace(markers=(6, 6, 1), winners=(1,))
    assert dice2_words.markers_lead(game, view.names) == ""
    vars(view)["played"] = game
    steps = [(step.place, [name for name, _count in step.players]) for step in view.podium]
    assert steps == [(1, ["Ben"]), (2, ["Ana"]), (3, ["Cem"])]


def test_a_relay_with_the_wrong_start_player_is_refused_by_its_game(client: Client) -> None:
    party = sit_down_for("relay", target=5)
    party.act("begin", 0, shape="four-wins")
    party.play_on(games=1)
    document = client_of(party).get(f"/table/{party.code}/game.json").json()
    wrong = 1 - party.game.relay.next_starter
    document["games"].append({"game": "last-man", "starter": wrong, "actions": []})
    answer = client.post("/open/", {"text": json.dumps(document)})
    assert answer.status_code == 400
    assert "This breaks a rule (game 2): The next game is started by" in answer.content.decode()


def test_stepping_through_a_relay_begins_at_the_empty_board_of_its_first_game() -> None:
    party = sit_down_for("relay", ("Ana", "Ben", "Cem"), target=5)
    party.act("begin", 1, by=0, shape="major")
    party.act("place", 1, "e5", die=3)
    text = client_of(party, 0).get(f"/table/{party.code}/history/?at=0").content.decode()
    assert "fields-9 with-markers" in text
    assert 'data-field="a1"' in text
    assert "data-die=" not in text


def test_solo_square_dice_waits_for_no_player(client: Client) -> None:
    sent = {"game": "square", "dice": "typed", "name": "Ana"}
    answer = client.post("/dice2/", sent, follow=True)
    assert 'id="tap"' in answer.content.decode()


@pytest.mark.parametrize(
    ("dice", "words"), [("typed", "real dice"), ("rolled", "dice rolled by the app")]
)
def test_lobby_names_the_dice_like_the_start_page(dice: str, words: str) -> None:
    party = sit_down_for("four-wins", ("Ana", ""), dice=dice, start=False)
    text = page(party)
    assert words in text
    assert "dice typed in" not in text
