"""Tiles of the yearly review, compared with a plain recomputation."""

from __future__ import annotations

from collections import Counter
from datetime import date
from io import BytesIO
from itertools import combinations

import pytest
from django.test import Client
from django.utils import translation
from PIL import Image

from sheets.access.keys import Access
from sheets.groups import players, store
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.year import NoSuchYear, ReviewLink, Tile, Year, review_link, win_word, year_of
from sheets.models import Group, GroupPlayer
from sheets.rules import Game
from tests.groups.bot_games import add_bot_game, evening_on, move_to_evening
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db

PEOPLE = (("Ana", "Ben"), ("Ana", "Ben", "Ida"), ("Ana",), ("Ida", "Ben"), ("Ben", "Ana"))
LEVELS = ("level-1", "level-1", "level-2")

FinishedGame = tuple[date, tuple[str, ...], Game]


def create_year(count: int = 24, year: int = 2025) -> tuple[Access[Group], list[FinishedGame]]:
    """Create a group with games in a year, two on each evening, and one in the year before."""
    access = store.find(store.create("Family"))
    found = []
    for place in range(count):
        names = PEOPLE[place % len(PEOPLE)]
        _key, kept, game = add_bot_game(access, names, place, LEVELS[place % len(LEVELS)])
        when = evening_on(year, 1 + place // 2, 3 + place % 2 // 2)
        move_to_evening(kept, game, when)
        found.append((when.date(), names, game))
    enter(access, [PaperGame(date(year - 1, 12, 31), "", (("Ana", 500), ("Tom", 2)))])
    return access, found


def tiles_of(found: Year) -> dict[str, Tile]:
    return {tile.sign: tile for tile in found.tiles}


def wins(games: list[FinishedGame], name: str) -> list[float]:
    """Return a player's share of the win in each game with others."""
    return [
        (names.index(name) in outcome.winners) / len(outcome.winners)
        for _day, names, game in games
        if name in names and len(names) > 1 and (outcome := game.outcome())
    ]


def streak(won: list[float]) -> int:
    best = running = 0
    for one in won:
        running = running + 1 if one == 1 else 0
        best = max(best, running)
    return best


@pytest.mark.postgresql
def test_the_year_of_a_group_equals_a_plain_recomputation() -> None:
    access, games = create_year()
    found = year_of(access.resource, 2025)
    assert (found.name, found.games, found.evenings) == ("Family", 24, 12)
    tiles = tiles_of(found)
    scores = [
        (score, name)
        for _day, names, game in games
        for name, score in zip(names, game.scores(), strict=True)
    ]
    best = max(score.total for score, _name in scores)
    assert tiles["gem-yellow"].figure == str(best)
    holders = {name for score, name in scores if score.total == best}
    assert {name for name in ("Ana", "Ben", "Ida") if name in tiles["gem-yellow"].detail} == holders
    streaks = {name: streak(wins(games, name)) for name in ("Ana", "Ben", "Ida")}
    most = max(streaks.values())
    assert tiles["flag-red"].figure == str(most)
    assert tiles["flag-red"].detail == " and ".join(
        name for name, count in streaks.items() if count == most
    )
    pairs = Counter(pair for _day, names, _game in games for pair in combinations(sorted(names), 2))
    assert tiles["key-blue"].figure == str(pairs["Ana", "Ben"]) == str(max(pairs.values()))
    assert tiles["key-blue"].detail == "Ana – Ben"
    gaps = [
        first - second
        for first, second, *_more in (
            sorted((score.total for score in game.scores()), reverse=True)
            for _day, names, game in games
            if len(names) > 1
        )
        if first > second
    ]
    assert tiles["rocket"].figure == str(min(gaps))
    drawn = sum(
        (sheet.crosses & ~game.level.printed).bit_count()
        for _day, _names, game in games
        for sheet in game.sheets
    )
    assert tiles["cross-2"].figure.replace(",", "") == str(drawn)
    assert f"{round(drawn * 0.02)} m" in tiles["cross-2"].detail
    lost = sum(
        min(0, score.by_category["bombs"]) + min(0, score.by_category["heaps"])
        for score, _name in scores
    )
    assert tiles["bomb"].figure == str(lost).replace("-", "−")
    weekdays = Counter(day.strftime("%A") for day in {day for day, _names, _game in games})
    assert weekdays[tiles["planet"].figure] == max(weekdays.values())
    assert tiles["planet"].detail == f"{max(weekdays.values())} of 12 evenings"


@pytest.mark.parametrize(
    ("wins", "english", "french"), [(0.5, "wins", "victoire"), (1, "win", "victoire"),
                                    (1.5, "wins", "victoire"), (2, "wins", "victoires")],
)  # fmt: skip
def test_fractions_of_wins_have_the_plural_of_the_language(
    wins: float, english: str, french: str
) -> None:
    assert win_word(wins) == english
    with translation.override("fr"):
        assert win_word(wins) == french


def test_the_sheet_of_a_year_has_the_marks_of_most_sheets() -> None:
    access, games = create_year()
    found = year_of(access.resource, 2025).favourite
    assert found
    assert (found.title, found.games) == ("Butterfly", 16)
    on_it = [game for _day, _names, game in games if game.level.id == "level-1"]
    level = on_it[0].level
    sheets = [sheet for game in on_it for sheet in game.sheets]
    counts = Counter(name for sheet in sheets for name in level.names(sheet.crosses))
    by_hand = {field.name: counts[field.name] for field in level.fields if not field.printed}
    assert set(found.usual) == {name for name, count in by_hand.items() if 2 * count >= len(sheets)}
    tile = tiles_of(year_of(access.resource, 2025))["sign-area"]
    most = max(by_hand.values())
    assert tile.figure.split(", ") == [name for name, count in by_hand.items() if count == most]
    assert tile.detail == f"Butterfly: on {max(by_hand.values())} of {len(sheets)} sheets"


def test_the_year_of_a_player_counts_only_the_players_games() -> None:
    access, games = create_year()
    ida = GroupPlayer.objects.get(name="Ida")
    found = year_of(access.resource, 2025, ida)
    mine = [played for played in games if "Ida" in played[1]]
    assert (found.name, found.games) == ("Ida", len(mine))
    assert found.evenings == len({day for day, _names, _game in mine})
    tiles = tiles_of(found)
    own = [
        (game, names.index("Ida"), game.scores()[names.index("Ida")]) for _d, names, game in mine
    ]
    assert tiles["gem-yellow"].figure == str(max(score.total for _g, _seat, score in own))
    won = wins(games, "Ida")
    assert tiles["flag-green"].figure == f"{sum(won):g}"
    assert tiles["flag-green"].detail == f"Of {len(won)} games with others"
    assert tiles.get("flag-red", Tile("", "1", "", "")).figure == str(max(1, streak(won)))
    assert tiles["key-blue"].detail == "with Ben"
    drawn = sum(
        (game.sheets[seat].crosses & ~game.level.printed).bit_count() for game, seat, _s in own
    )
    assert tiles["cross-2"].figure.replace(",", "") == str(drawn)
    assert found.favourite
    on_it = [game.sheets[seat] for game, seat, _s in own if game.level.id == "level-1"]
    assert found.favourite.crossed
    assert found.favourite.crossed.sheets == len(on_it)


def test_few_games_have_no_review(client: Client) -> None:
    access, _games = create_year(4)
    url = f"/groups/{access.share_key}/year/2025/"
    page = client.get(url).content.decode()
    assert "4 games on 2 evenings" in page
    assert "There is more to tell from five games on." in page
    assert "year.png" not in page
    assert client.get(f"{url}year.png").status_code == 404


@pytest.mark.slow
def test_a_year_has_a_page_and_a_picture(client: Client) -> None:
    access, _games = create_year(12)
    group = f"/groups/{access.share_key}/"
    assert f'{group}year/2025/"' in client.get(group).content.decode()
    ana = GroupPlayer.objects.get(name="Ana")
    assert 'players/1/year/2025/"' in client.get(f"{group}players/1/").content.decode()
    for url in (f"{group}year/2025/", f"{group}players/{ana.number}/year/2025/"):
        assert f'href="{url}year.png"' in client.get(url).content.decode()
        for language in ("en", "de"):
            answer = client.get(f"{url}year.png", headers={"accept-language": language})
            assert answer.headers["Content-Type"] == "image/png"
            assert Image.open(BytesIO(answer.content)).size == (1080, 1350)
        etag = answer.headers["ETag"]
        again = {"accept-language": "de", "if-none-match": etag}
        assert client.get(f"{url}year.png", headers=again).status_code == 304
        store.rename(access, "Other")
        players.rename(access, ana.number, "Ada")
        assert client.get(f"{url}year.png", headers=again).status_code == 200
        players.rename(access, ana.number, "Ana")
        store.rename(access, "Family")


def test_a_year_without_sheets_has_a_page_and_a_picture(client: Client) -> None:
    access = store.find(store.create("Family"))
    old = [
        PaperGame(date(2020, 1, day), "Butterfly", (("Ana", 3), ("Ben", day)))
        for day in range(1, 7)
    ]
    enter(access, old)
    url = f"/groups/{access.key}/year/2020/"
    page = unmarked(client.get(url))
    assert "Butterfly, 6 games" in page
    assert "Crossed here" not in page
    assert client.get(f"{url}year.png").status_code == 200


@pytest.mark.postgresql
def test_years_and_players_without_games_are_not_found(client: Client) -> None:
    access, _games = create_year(6)
    group = f"/groups/{access.key}/"
    tom = GroupPlayer.objects.get(name="Tom")
    for path in (
        *("year/2023/", "year/2023/year.png", "year/0026/", "year/20255/", "year/3000/"),
        *(f"players/{tom.number}/year/2025/", "players/99/year/2025/"),
    ):
        assert client.get(group + path).status_code == 404, path
    assert client.get(f"{group}players/{tom.number}/year/2024/").status_code == 200
    with pytest.raises(NoSuchYear):
        year_of(access.resource, 2023)


@pytest.mark.parametrize(
    ("today", "told"),
    [
        (date(2025, 12, 1), ReviewLink(2025, True)),
        (date(2026, 1, 31), ReviewLink(2025, True)),
        (date(2026, 2, 1), ReviewLink(2026, False)),
        (date(2028, 1, 1), ReviewLink(2026, False)),
        (date(2026, 12, 31), ReviewLink(2026, True)),
    ],
)
def test_a_year_is_announced_as_it_ends(today: date, told: ReviewLink) -> None:
    assert review_link([2026, 2025], today) == told
    assert review_link([], today) is None


def test_the_year_links_only_to_players_with_a_review(client: Client) -> None:
    access = store.find(store.create("Family"))
    days = [date(2025, 3, day) for day in range(1, 6)]
    enter(access, [PaperGame(day, "Butterfly", (("Ana", 9), ("Ben", 3))) for day in days])
    enter(access, [PaperGame(day, "Butterfly", (("Ida", 9),)) for day in days[:4]])
    page = client.get(f"/groups/{access.share_key}/year/2025/").content.decode()
    for number, is_told in ((1, True), (2, True), (3, False)):
        assert (f"/players/{number}/year/2025/" in page) == is_told
        told = client.get(f"/groups/{access.share_key}/players/{number}/year/2025/")
        assert ("There is more to tell" not in told.content.decode()) == is_told


@pytest.mark.parametrize(("others", "is_shared"), [(4, False), (5, True)])
def test_equally_often_played_levels_are_both_named(
    client: Client, others: int, is_shared: bool
) -> None:
    access = store.find(store.create("Family"))
    for level, count in (("Butterfly", 5), ("Castle", others)):
        days = [date(2025, 3, day) for day in range(1, count + 1)]
        enter(access, [PaperGame(day, level, (("Ana", 9), ("Ben", 3))) for day in days])
    page = unmarked(client.get(f"/groups/{access.share_key}/year/2025/"))
    assert ("As often: Castle." in page) == is_shared
    assert ("Nothing was played more often." in page) != is_shared
