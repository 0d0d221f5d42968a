"""Pages of the puzzles: list, position, answers, refusals, the game after the answer."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.models import AddedPuzzle
from sheets.puzzles.document import key_of
from sheets.puzzles.puzzle import Puzzle
from sheets.puzzles.store import add_puzzle, find_puzzle, shipped_puzzles
from sheets.rules import RuleViolation
from sheets.rules.level import SHAPES
from sheets.text.languages import languages
from sheets.text.refusals import explain
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db

KEYS = tuple(shipped_puzzles())


def first_of(do: str, players: int = 0) -> tuple[str, Puzzle]:
    """Return a puzzle about this kind of action, with this number of players if it is not 0."""
    for key in KEYS:
        puzzle = find_puzzle(key)
        if puzzle.right.action.do == do and players in (0, len(puzzle.record.players)):
            return key, puzzle
    raise LookupError(do)


def message(response: HttpResponse, element: str) -> str:
    """Return the text of the element with this id; empty if it is hidden."""
    found = re.search(f'<p [^>]*id="{element}"[^>]*>(.*?)</p>', response.content.decode(), re.S)
    return unescape(found[1]).strip() if found else ""


def choice_of(puzzle: Puzzle, place: int) -> dict[str, str]:
    """Return the query of a choice's button."""
    action = puzzle.choices[place].action
    return {"shape": action.shape} if action.shape else {"at": action.at}


def own_document() -> dict[str, Any]:
    """Return a puzzle that the site does not have: a shipped one with a house rule."""
    document = dict(shipped_puzzles()[KEYS[0]])
    game = document["game"]
    return document | {"game": game | {"house_rules": {"no_bombs": True}}}


def test_list_has_every_puzzle_once(client: Client) -> None:
    page = client.get("/puzzles/").content.decode()
    assert re.findall(r'href="/puzzles/(\w+)/"', page) == list(KEYS)
    assert re.findall(r">(\d+)<span", page) == [str(n) for n in range(1, len(KEYS) + 1)]
    assert len(re.findall("<dt>Very hard</dt>", page)) >= 4


@pytest.mark.parametrize("do", ["place", "return", "rocket", "track"])
def test_page_asks_for_one_choice(client: Client, do: str) -> None:
    key, puzzle = first_of(do)
    page = client.get(f"/puzzles/{key}/").content.decode()
    assert "What would you do?" in page
    assert "data-is-right" not in page
    if do == "track":
        assert re.findall(r'name="shape" value="(\w+)"', page) == list(SHAPES)
        assert 'name="at"' not in page
        return
    hinted = re.findall(r'value="(\w+)" data-at="\w+" data-hint="strong"', page)
    assert hinted == [choice.action.at for choice in puzzle.choices]


@pytest.mark.parametrize("do", ["place", "track"])
def test_answer_names_the_best_choice_and_all_others(client: Client, do: str) -> None:
    key, puzzle = first_of(do)
    for place in range(len(puzzle.choices)):
        response = client.get(f"/puzzles/{key}/", choice_of(puzzle, place))
        assert response.status_code == 200
        page = response.content.decode()
        is_right = place == puzzle.answer
        assert f'data-is-right="{"1" if is_right else ""}"' in page
        assert message(response, "result").startswith("Correct: " if is_right else "The best")
        tags = [tag for found in re.findall(r'quiet">\((.*?)\)', page) for tag in found.split(", ")]
        assert sorted(tags) == ["best", "in the game", "yours"]
        assert len(re.findall('<th scope="row">', page)) == len(puzzle.choices)


def test_forbidden_choice_is_refused_by_the_rules_and_reveals_nothing(client: Client) -> None:
    key, puzzle = first_of("place")
    game, legal = puzzle.position(), {choice.action.at for choice in puzzle.choices}
    for field in game.level.fields:
        if field.name in legal:
            continue
        response = client.get(f"/puzzles/{key}/", {"at": field.name})
        assert response.status_code == 422
        assert "data-is-right" not in response.content.decode()
        tried = puzzle.right.action._replace(at=field.name, die=field.number)
        with pytest.raises(RuleViolation) as refused:
            game.apply(tried)
        assert message(response, "refusal") == explain(refused.value, game.players)


@pytest.mark.parametrize(
    "query", ["at=z26", "at=", "at=%00", "at=" + "a" * 5000, "at=b1%20", "at=-1"]
)
def test_other_value_is_no_button(client: Client, query: str) -> None:
    key, _puzzle = first_of("place")
    response = client.get(f"/puzzles/{key}/?{query}")
    assert response.status_code == 400
    assert message(response, "refusal").startswith("This was no button of the page")


def test_other_track_is_no_button(client: Client) -> None:
    key, _puzzle = first_of("track")
    assert client.get(f"/puzzles/{key}/?shape=XY").status_code == 400
    assert client.get(f"/puzzles/{key}/?at=a1").status_code == 200


@pytest.mark.parametrize("path", ["/puzzles/12345678/", "/puzzles/x/", "/puzzles/x/played-out/"])
def test_unknown_puzzle_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_game_after_the_answer_is_replayed(client: Client) -> None:
    key, puzzle = first_of("place", players=2)
    answered = client.get(f"/puzzles/{key}/", choice_of(puzzle, puzzle.answer)).content.decode()
    address = f"/puzzles/{key}/played-out/?at={puzzle.decision + 1}"
    assert f'href="{address}"' in answered
    page = unmarked(client.get(address))
    action = puzzle.right.action
    assert f"Player {puzzle.player + 1}: {action.die} on {action.at}" in page
    assert "Back to the puzzle" in page
    end = client.get(f"/puzzles/{key}/played-out/?at=9999").content.decode()
    assert "The game is over" in end


@pytest.mark.parametrize("language", list(languages()))
def test_answers_exist_in_every_language(client: Client, language: str) -> None:
    for do in ("place", "track"):
        key, puzzle = first_of(do)
        headers = {"accept-language": language}
        asked = client.get(f"/puzzles/{key}/", headers=headers)
        answered = client.get(
            f"/puzzles/{key}/", choice_of(puzzle, (puzzle.answer + 1) % 3), headers=headers
        )
        for response in (asked, answered):
            assert response.status_code == 200
            assert "%(" not in response.content.decode()


@pytest.mark.postgresql
def test_added_puzzles_follow_and_have_their_house_rules(client: Client) -> None:
    document = own_document()
    assert add_puzzle(document)
    assert not add_puzzle(document)
    assert not add_puzzle(shipped_puzzles()[KEYS[3]])
    assert AddedPuzzle.objects.count() == 1
    key = key_of(document)
    page = client.get("/puzzles/").content.decode()
    assert re.findall(r'href="/puzzles/(\w+)/"', page) == [*KEYS, key]
    shown = client.get(f"/puzzles/{key}/").content.decode()
    assert f"Puzzle {len(KEYS) + 1}" in shown
    assert "No bombs" in shown
    answered = client.get(f"/puzzles/{key}/", choice_of(find_puzzle(key), 0)).content.decode()
    assert f'href="/puzzles/{KEYS[0]}/"' in answered  # after the last one, the first one follows
