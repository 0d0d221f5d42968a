"""Typed games whose points do not decide the winner, and corrections of typed games."""

from __future__ import annotations

import html
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from sheets.access.keys import Access
from sheets.groups import game_store, players, store
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.pasted_table import parse_typed_result, read_table
from sheets.groups.winners import LOST, WON, TypedResult, UndecidedWinner, find_typed_winners
from sheets.models import Group, GroupGame
from tests.groups import page_parsers
from tests.groups.played_games import create_scoring
from tests.groups.player_figures import lines_of

pytestmark = pytest.mark.django_db

DAY = date(2025, 12, 26)
Rows = list[tuple[str, int | None, int, float]]


def create_family(*games: PaperGame) -> Access[Group]:
    access = store.find(store.create("Family"))
    enter(access, games)
    return access


def results_of(number: int = 1) -> Rows:
    """Return name, points, place and share of the win of each seat, in order."""
    game = GroupGame.objects.get(number=number)
    return [
        (one.player.name if one.player else "", one.points, one.place, one.won)
        for one in game.results.order_by("seat")
    ]


def wins_on_page(client: Client, access: Access[Group]) -> dict[str, float | None]:
    """Return the wins of each player on the page of the group."""
    return {name: line.wins for name, line in lines_of(client, access).items()}


@pytest.mark.parametrize(
    ("cell", "had"),
    [
        ("44", TypedResult(44)),
        (" −3 ", TypedResult(-3)),
        ("won", TypedResult(None, WON)),
        ("Gewonnen", TypedResult(None, WON)),
        ("verloren", TypedResult(None, LOST)),
        ("Sieg", TypedResult(None, WON)),
        ("44 Victoire", TypedResult(44, WON)),
        ("Played", TypedResult(None, LOST)),
        ("44 won", TypedResult(44, WON)),
        ("44 lost", TypedResult(44, LOST)),
        ("won 44", None),
        ("many won", None),
        ("4 4", None),
        ("", None),
    ],
)
def test_a_cell_has_points_or_marks_a_winner(cell: str, had: TypedResult | None) -> None:
    assert parse_typed_result(cell) == had


@pytest.mark.parametrize(
    ("typed", "winners"),
    [
        ([TypedResult(3), TypedResult(4), TypedResult(4)], [1, 2]),
        ([TypedResult(3), TypedResult(4), TypedResult(4, WON)], [2]),
        ([TypedResult(3), TypedResult(4), TypedResult(4, LOST)], [1]),
        ([TypedResult(None, WON), TypedResult(None, LOST)], [0]),
        ([TypedResult(None, WON), TypedResult(None, WON), TypedResult(None, LOST)], [0, 1]),
        ([TypedResult(None, WON), TypedResult(9), TypedResult(8)], [0]),
        ([TypedResult(0), TypedResult(0)], [0, 1]),
        ([TypedResult(5)], []),
    ],
)
def test_most_points_win_unless_a_winner_is_marked(
    typed: list[TypedResult], winners: list[int]
) -> None:
    assert find_typed_winners(typed) == winners


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ([TypedResult(None, WON)], "alone"),
        ([TypedResult(None, LOST), TypedResult(None, LOST)], "winner"),
        ([TypedResult(5), TypedResult(None, LOST)], "winner"),
        ([TypedResult(5, LOST), TypedResult(3)], "winner"),
        ([TypedResult(5, WON), TypedResult(6)], "beaten"),
    ],
)
def test_a_winner_is_never_guessed(typed: list[TypedResult], reason: str) -> None:
    with pytest.raises(UndecidedWinner) as refused:
        find_typed_winners(typed)
    assert refused.value.reason == reason


def test_a_winner_without_points_is_pasted_and_added_once(client: Client) -> None:
    access = create_family()
    table = (
        "Day;Ana;Ben;Ida\n2025-12-26;won;lost;lost\n2025-12-26;lost;won;lost\n2025-12-27;7;7 won;"
    )
    read = read_table(table, access.resource)
    assert (len(read.games), read.faulty_lines) == (3, [])
    url = f"/groups/{access.key}/enter/"
    assert "3 games were understood" in client.post(url, {"table": table}).content.decode()
    for said in ("3 games are added.", "0 games are added. 3 games were there already."):
        page = client.post(url, {"table": table, "keep": "yes"}, follow=True).content.decode()
        assert said in " ".join(page.split())
    assert results_of(1) == [("Ana", None, 1, 1), ("Ben", None, 2, 0), ("Ida", None, 2, 0)]
    assert results_of(3) == [("Ana", 7, 2, 0), ("Ben", 7, 1, 1)]
    assert wins_on_page(client, access) == {"Ana": 1, "Ben": 2, "Ida": 0}
    # A game without points counts in no mean.
    assert lines_of(client, access)["Ida"].best is None


def test_a_winner_without_points_is_typed(client: Client) -> None:
    access = create_family(PaperGame(DAY, "", (("Ana", 1), ("Ben", 2))))
    url = f"/groups/{access.key}/enter/"
    sent = {"day": "2025-12-27", "mark-1": "won", "mark-2": "lost"}
    page = client.post(url, sent)
    assert page.status_code == 200
    told = html.unescape(page.content.decode().split('name="keep" value="')[1].split('"')[0])
    assert "1 game is added." in client.post(url, sent | {"keep": told}, follow=True).text
    assert sorted(results_of(2)) == [("Ana", None, 1, 1), ("Ben", None, 2, 0)]


def correct_game(client: Client, access: Access[Group], number: int, **change: str) -> int:
    """Send the form of a game with some fields changed; return the status."""
    url = f"/groups/{access.key}/games/{number}/correct/"
    form = page_parsers.read(client.get(url).content.decode()).find(".//form[@class='by-hand']")
    assert form is not None
    sent = {one.attrib["name"]: one.attrib.get("value", "") for one in form.iter("input")}
    for select in form.iter("select"):
        chosen = [one.attrib["value"] for one in select.iter("option") if "selected" in one.attrib]
        sent[select.attrib["name"]] = chosen[0] if chosen else ""
    del sent["csrfmiddlewaretoken"]
    return client.post(
        url, sent | {name.replace("_", "-"): value for name, value in change.items()}
    ).status_code


def test_a_typed_game_is_corrected_and_keeps_its_number(client: Client) -> None:
    access = create_family(
        PaperGame(DAY, "Castle", (("Ana", 44), ("Ben", 51))),
        PaperGame(DAY, "Castle", (("Ana", 3), ("Ben", 2))),
    )
    assert wins_on_page(client, access) == {"Ana": 1, "Ben": 1}
    day = client.get(f"/groups/{access.key}/evening/{DAY}/").content.decode()
    assert f"/groups/{access.key}/games/1/correct/" in day
    assert correct_game(client, access, 1, points_1="54", name_new_1="Ida", points_new_1="7") == 302
    assert results_of() == [("Ana", 54, 1, 1), ("Ben", 51, 2, 0), ("Ida", 7, 3, 0)]
    assert [game.number for game in GroupGame.objects.order_by("number")] == [1, 2]
    assert wins_on_page(client, access) == {"Ana": 2, "Ben": 0, "Ida": 0}
    game = GroupGame.objects.get(number=1)
    assert (game.level_id, game.kind, game.evening) == ("level-2", "typed", DAY)


def test_the_same_correction_twice_changes_nothing(client: Client) -> None:
    access = create_family(PaperGame(DAY, "Castle", (("Ana", 44), ("Ben", 51))))
    url = f"/groups/{access.key}/games/1/correct/"
    sent = {"day": "2025-12-25", "points-1": "4", "points-2": "5", "other": "Tante Ernas Block"}
    sent |= {"name-new-1": "Ida", "points-new-1": "7"}
    for _time in range(2):
        answer = client.post(url, sent)
        assert answer.headers["Location"] == f"/groups/{access.key}/evening/2025-12-25/"
        game = GroupGame.objects.get()
        assert (game.number, str(game.evening)) == (1, "2025-12-25")
        assert game.level_name["en"] == "Tante Ernas Block"
        assert {name: points for name, points, *_rest in results_of()} == {
            "Ana": 4,
            "Ben": 5,
            "Ida": 7,
        }
        page = client.get(f"/groups/{access.key}/levels/{game.level_digest}/").content.decode()
        assert "From 1 game." in page
    assert client.get(f"/groups/{access.key}/?year=2025").content.decode().count("<article") == 1


def test_a_typed_tie_is_decided_by_the_user_and_recognised_later(client: Client) -> None:
    access = create_family(PaperGame(DAY, "", (("Ana", 44), ("Ben", 44))))
    assert wins_on_page(client, access) == {"Ana": 0.5, "Ben": 0.5}
    assert correct_game(client, access, 1, mark_2="won") == 302
    assert results_of() == [("Ana", 44, 2, 0), ("Ben", 44, 1, 1)]
    assert wins_on_page(client, access) == {"Ana": 0, "Ben": 1}
    page = client.get(f"/groups/{access.key}/games/1/correct/").content.decode()
    assert page.count('value="won" selected') == 1
    assert correct_game(client, access, 1) == 302
    assert results_of() == [("Ana", 44, 2, 0), ("Ben", 44, 1, 1)]
    table = {"table": "Day;Ana;Ben\n2025-12-26;44;44", "keep": "yes"}
    said = client.post(f"/groups/{access.key}/enter/", table, follow=True).content.decode()
    assert "0 games are added. 1 game was there already." in said


def test_a_game_of_the_same_day_keeps_its_place(client: Client) -> None:
    access = create_family(
        PaperGame(DAY, "", (("Ana", 44), ("Ben", 30))), PaperGame(DAY, "", (("Ana", 4), ("Ben", 3)))
    )
    late = datetime(2025, 12, 26, 22, tzinfo=UTC)  # as a file may have it
    GroupGame.objects.filter(number=1).update(played=late)
    assert correct_game(client, access, 1, points_2="31") == 302
    game = GroupGame.objects.get(number=1)
    assert (game.played, {one.played for one in game.results.all()}) == (late, {late})


def test_points_decide_again_when_they_are_corrected(client: Client) -> None:
    access = create_family(PaperGame(DAY, "", (("Ana", 44), ("Ben", 30))))
    assert correct_game(client, access, 1, points_2="50") == 302
    assert results_of() == [("Ana", 44, 2, 0), ("Ben", 50, 1, 1)]


def test_a_correction_keeps_merged_retired_and_forgotten_players(client: Client) -> None:
    access = create_family(
        PaperGame(DAY, "", (("Ana", 44), ("Ben", 30), ("Ida", 7), ("Tom", 2))),
        PaperGame(DAY, "", (("Anna", 1),)),
    )
    players.merge(access, 1, 5)
    players.retire(access, 2, True)
    players.delete(access, 3)
    assert correct_game(client, access, 1, points_2="31") == 302
    found = {name: (points, won) for name, points, _place, won in results_of()}
    assert found == {"Anna": (44, 1), "Ben": (31, 0), "": (7, 0), "Tom": (2, 0)}
    players.split_merged(access, 1)
    assert {name for name, *_rest in results_of()} == {"Ana", "Ben", "", "Tom"}


def test_only_typed_games_are_corrected_and_only_by_editors(client: Client) -> None:
    access = create_family(
        PaperGame(DAY, "", (("Ana", 44), ("Ben", 30))), PaperGame(DAY, "", (("Ana", 4), ("Ben", 3)))
    )
    url = f"/groups/{access.key}/games/1/correct/"
    assert correct_game(client, access, 1, points_1="4", points_2="3") == 400
    same = {"day": str(DAY), "points-1": "4", "points-2": "3"}
    assert "This game is there already." in client.post(url, same).content.decode()
    wrong = client.post(url, {"day": "2199-01-01", "points-1": "4", "points-2": "3"})
    assert "This day is yet to come." in wrong.content.decode()
    assert {points for _name, points, *_rest in results_of()} == {44, 30}
    assert client.get(f"/groups/{access.share_key}/games/1/correct/").status_code == 403
    assert client.get(f"/groups/{access.key}/games/9/correct/").status_code == 404
    game = game_store.add_game(access, create_scoring({"Ana": 9, "Ben": 3})[1])
    assert client.get(f"/groups/{access.key}/games/{game.number}/correct/").status_code == 404
    page = client.get(f"/groups/{access.key}/evening/{game.evening}/").content.decode()
    assert f"games/{game.number}/correct/" not in page


def test_a_correction_keeps_the_version_of_a_level(client: Client) -> None:
    access = create_family(
        PaperGame(DAY, "Castle", (("Ana", 44), ("Ben", 30))),
        PaperGame(DAY, "Castle", (("Ana", 4), ("Ben", 3))),
    )
    access.resource.games.filter(number=2).update(level_id="own", level_digest="0" * 16)
    assert correct_game(client, access, 2, points_1="5") == 302
    assert results_of(2) == [("Ana", 5, 1, 1), ("Ben", 3, 2, 0)]
    assert GroupGame.objects.get(number=2).level_digest == "0" * 16
