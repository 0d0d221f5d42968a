"""Tutorial: positions and answers of the rules, progress, offers on other pages."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import product

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client

from sheets.levels import find_level
from sheets.pages.tutorial.positions import (
    KEPT,
    OPPONENT,
    OWN,
    TURNS,
    WHOLE_LEVEL,
    positions,
    tutorial_level,
)
from sheets.pages.tutorial.steps import SCORE_STEP, asked_die
from sheets.rules import Action, Game, RuleViolation
from sheets.rules.level import format_field
from sheets.text.languages import languages
from sheets.text.refusals import explain
from tests.page_text import unmarked
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin

pytestmark = pytest.mark.django_db

TURN_STEPS = range(1, SCORE_STEP)
"""Numbers of the steps with a turn."""


def message(response: HttpResponse, element: str) -> str:
    """Return the text of the element with this id; empty if it is hidden."""
    found = re.search(f'<p [^>]*id="{element}"[^>]*>(.*?)</p>', unmarked(response), re.S)
    assert found
    return unescape(found[1]).strip()


def script_answers(response: HttpResponse) -> dict[str, object]:
    """Return the data of a step's script."""
    found = re.search(r'<script id="answers"[^>]*>(.*?)</script>', response.content.decode())
    assert found
    answers: dict[str, object] = json.loads(found[1])
    return answers


def fields_to_tap() -> list[str]:
    """Return all fields of the sheet, its holes, and a field outside."""
    level = tutorial_level()
    inside = product(range(level.columns), range(level.rows))
    return [*(format_field(column, row) for column, row in inside), "z26"]


def tried(number: int, query: str) -> Action:
    """Return the action of a tap in a step."""
    name, value = query.split("=")
    if name == "at":
        return Action("place", OWN, value, asked_die(number))
    act, pool = TURNS[number - 1].act, positions()[number - 1].pool
    return Action("drop", OWN) if value == "drop" else Action("reroll", OWN, dice=act.dice or pool)


def apply(game: Game, action: Action) -> tuple[Game | None, str]:
    """Return the game after an action, or the sentence of the rule that refuses it."""
    try:
        return game.apply(action), ""
    except RuleViolation as violation:
        return None, explain(violation, game.players)


def test_sheet_is_a_part_of_a_shipped_level() -> None:
    level, whole = tutorial_level(), find_level(WHOLE_LEVEL)
    first, left = min(KEPT), ord(min("".join(KEPT.values()))) - ord("a")
    for field in level.fields:
        name = format_field(field.column + left, field.row + first - 1)
        there = whole.fields[whole.index[name]]
        symbol = "" if there.symbol == "puzzle" else there.symbol
        assert (field.number, field.symbol, field.printed) == (
            there.number,
            symbol,
            there.printed,
        ), name
    assert len(level.fields) == sum(map(len, KEPT.values())) - 1  # one field is a hole
    assert level.points["bomb"] == whole.points["bomb"]
    assert [line.points for line in level.lines] == [
        line.points for line in whole.lines if (line.kind, line.which) == ("row", "7")
    ]


def test_positions_show_what_their_steps_explain() -> None:
    first, next_to_die, boxed_in, nothing_fits, bomb, end = positions()
    assert not first.sheets[OWN].dice
    assert first.dice_to_roll == len(first.pool) == first.level.dice[2]
    assert next_to_die.sheets[OWN].dice
    assert not next_to_die.is_boxed_in()
    assert boxed_in.is_boxed_in()
    assert nothing_fits.may() == ["reroll", "drop"]
    assert bomb.may() == ["place"]
    assert bomb.level.fields[bomb.level.index[TURNS[-1].act.at]].symbol == "bomb"
    assert end.passes_done == bomb.passes_done + 1
    assert end.sheets[OPPONENT].exploded
    assert not end.sheets[OWN].exploded


@pytest.mark.parametrize("number", TURN_STEPS)
def test_each_tap_gets_the_answer_of_the_rules(client: Client, number: int) -> None:
    """The server and the data of the script say what `Game.apply` says."""
    game, right = positions()[number - 1], TURNS[number - 1].act
    sentences = script_answers(client.get(f"/tutorial/{number}/"))["sentences"]
    assert isinstance(sentences, dict)
    completing, allowed, faults = [], [], []
    for query in (*(f"at={at}" for at in fields_to_tap()), "do=reroll", "do=drop"):
        after, refusal = apply(game, tried(number, query))
        response = client.get(f"/tutorial/{number}/?{query}")
        if after is None:
            expected = (422, refusal)
        elif tried(number, query) == right:
            completing.append(query)
            expected = (200, "")
        else:
            allowed.append(query)
            expected = (200, sentences[query])
        if (response.status_code, message(response, "refusal")) != expected:
            faults.append((query, response.status_code, message(response, "refusal"), expected))
        if query in sentences and sentences[query] != message(response, "refusal"):
            faults.append((query, sentences[query]))
    assert not faults
    assert len(completing) == 1
    assert allowed == (["do=drop"] if "drop" in game.may() else [])
    level = tutorial_level()
    offered = {f"at={field.name}" for field in level.fields}
    offered |= {f"do={do}" for do in game.may() if do != "place"}
    assert sentences.keys() == offered - set(completing)


@pytest.mark.parametrize("number", TURN_STEPS)
def test_right_tap_leads_on_without_a_script(client: Client, number: int) -> None:
    answers = script_answers(client.get(f"/tutorial/{number}/"))
    page = client.get(f"/tutorial/{number}/?{answers['right']}")
    assert message(page, "result")
    assert f'href="/tutorial/{number + 1}/#step"' in page.content.decode()
    assert 'name="at"' not in page.content.decode()
    # The script shows the same part.
    start = page.content.decode().index('<div class="lesson-step')
    shown = " ".join(str(answers["done"]).split())
    assert shown in " ".join(page.content.decode()[start:].split())


def dice_on_sheet(client: Client, path: str) -> set[str]:
    """Return the fields with a die on the sheet of a page."""
    page = client.get(path).content.decode()
    return set(re.findall(r'aria-label="(\w\d)[^"]*, your die"', page))


def test_next_step_begins_where_the_last_one_ended(client: Client) -> None:
    for number in TURN_STEPS[:-1]:
        right = script_answers(client.get(f"/tutorial/{number}/"))["right"]
        after = dice_on_sheet(client, f"/tutorial/{number}/?{right}")
        assert after == dice_on_sheet(client, f"/tutorial/{number + 1}/")
        assert after


def test_end_of_the_pass_shows_both_sheets(client: Client) -> None:
    page = unmarked(client.get("/tutorial/5/?at=a5"))
    assert page.count('<svg class="art-sheet"') == 2
    assert "Your dice become crosses: a1, a2, a5 and b5." in page
    assert "The bomb on a5 explodes on the sheet of Ben." in page


def test_score_is_that_of_the_rules(client: Client) -> None:
    own, other = (score.total for score in positions()[-1].scores())
    page = client.get("/tutorial/6/")
    choices = re.findall(r'name="points" value="(\d+)"', page.content.decode())
    assert len(choices) == len(set(choices)) == 3
    for points in choices:
        answer = client.get(f"/tutorial/6/?points={points}")
        if int(points) == own:
            assert (
                message(answer, "result") == f"Correct: you have {own} points, and Ben has {other}."
            )
        else:
            assert answer.status_code == 422
            assert message(answer, "refusal").startswith(f"It is not {points}")
    done = client.get(f"/tutorial/6/?points={own}").content.decode()
    amounts = re.findall(r"<td>(.*?)</td>", done)
    signed = [int(amount.replace("−", "-")) for amount in amounts]
    assert sum(signed[:-2:2]) == own == signed[-2]
    assert sum(signed[1:-2:2]) == other == signed[-1]


@pytest.mark.parametrize(
    "query", ["at=", "at=7", "at=A2", "at=a2%00", "do=place", "do=", "at=a2a2"]
)
def test_malformed_tap_gets_a_sentence(client: Client, query: str) -> None:
    response = client.get(f"/tutorial/1/?{query}")
    assert response.status_code == 400
    assert (
        message(response, "refusal") == "This was no button of the page: tap a field or a button."
    )
    assert "tutorial" not in response.cookies


@pytest.mark.parametrize("query", ["points=", "points=x", "points=-2", "points=²", "points=1300"])
def test_malformed_total_gets_a_sentence(client: Client, query: str) -> None:
    assert client.get(f"/tutorial/6/?{query}").status_code == 400


@pytest.mark.parametrize("number", [0, SCORE_STEP + 1, 10**30])
def test_there_is_no_other_step(client: Client, number: int) -> None:
    assert client.get(f"/tutorial/{number}/").status_code == 404


@pytest.mark.parametrize("language", languages())
def test_all_steps_are_in_all_languages(client: Client, language: str) -> None:
    english = [task_sentence(client, number, "en") for number in range(1, SCORE_STEP + 1)]
    shown = [task_sentence(client, number, language) for number in range(1, SCORE_STEP + 1)]
    assert all(shown)
    assert all(
        (one == other) == (language == "en") for one, other in zip(english, shown, strict=True)
    )


def task_sentence(client: Client, number: int, language: str) -> str:
    """Return the sentence that explains a step."""
    page = client.get(f"/tutorial/{number}/", headers={"accept-language": language})
    found = re.search(r'class="lesson-task">(.*?)</p>', page.content.decode())
    assert found
    return found[1]


def test_tutorial_can_be_left_and_resumed(client: Client) -> None:
    assert '"/tutorial/1/">' in client.get("/tutorial/").content.decode()
    for number in range(1, SCORE_STEP + 1):
        path = f"/tutorial/{number}/"
        page = client.get(path)
        assert "tutorial" not in page.cookies, "to open a step completes nothing"
        right = script_answers(page)["right"]
        assert "tutorial" not in client.get(f"{path}?at=a9").cookies
        client.get(f"{path}?{right}")
        start = client.get("/tutorial/").content.decode()
        if number < SCORE_STEP:
            assert f"Go on: step {number + 1} of {SCORE_STEP}" in start
            assert "Again from the start" in start
            home = client.get("/").content.decode()
            assert "Go on with the tutorial" in home
            assert f'href="/tutorial/{number + 1}/"' in home
        else:
            assert "You know how a turn goes." in start


def test_a_repeated_step_takes_no_later_one_back(client: Client) -> None:
    client.cookies["tutorial"] = "4"
    client.get("/tutorial/1/?" + str(script_answers(client.get("/tutorial/1/"))["right"]))
    assert f"Go on: step 5 of {SCORE_STEP}" in client.get("/tutorial/").content.decode()


@pytest.mark.parametrize("value", ["", "0", "7", "99", "-1", "²", "x" * 3000])
def test_unknown_progress_counts_as_none(client: Client, value: str) -> None:
    client.cookies["tutorial"] = value
    assert "Begin" in client.get("/tutorial/").content.decode()
    assert "New to Dizzle?" in client.get("/").content.decode()


def test_home_offers_it_to_new_devices(client: Client) -> None:
    small_link = "Tutorial: Dizzle in three minutes"
    page = client.get("/").content.decode()
    assert "New to Dizzle?" in page
    assert small_link not in page
    finished = Client()
    finished.cookies["tutorial"] = str(SCORE_STEP)
    client.get(begin(client, GARDEN))
    for device in (finished, client):
        page = device.get("/").content.decode()
        assert "New to Dizzle?" not in page
        assert f'<a class="to" href="/tutorial/">{small_link}</a>' in page


def test_rules_menu_and_offline_page_link_to_it(client: Client) -> None:
    for path in ("/rules/", "/offline/"):
        main = client.get(path).content.decode().partition("<main")[2]
        assert 'href="/tutorial/"' in main
    assert 'href="/tutorial/"' in client.get("/levels/").content.decode()


def test_devices_store_all_steps(client: Client, settings: LazySettings) -> None:
    settings.OFFLINE = True
    worker = client.get("/worker.js").content.decode()
    kept = json.loads(worker[len("const KEPT = ") : worker.index("};\n") + 1])["shell"]
    steps = {f"/tutorial/{number}/" for number in range(1, SCORE_STEP + 1)}
    assert steps | {"/tutorial/"} <= set(kept)
