"""Statistics of a group on a level, compared with a plain recomputation."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import timedelta
from statistics import mean

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sheets.access.keys import Access, delete_resource
from sheets.groups import game_store, players, store
from sheets.groups.crossed_fields import Crossed, crossed_in
from sheets.groups.documents import format_group, read_group
from sheets.groups.filters import GameFilter
from sheets.groups.game_results import level_digest
from sheets.groups.group_file_import import import_group
from sheets.groups.level_statistics import on_level
from sheets.groups.paper_games_import import PaperGame, enter
from sheets.groups.statistics import crossed_sheets, read_games
from sheets.levels import find_level
from sheets.models import (
    Entry,
    Group,
    GroupGame,
    GroupLevel,
    GroupResult,
    Job,
    Scoring,
    WorkshopLevel,
)
from sheets.rules import DocumentError, Game, format_level, parse_level
from sheets.scoring import store as scoring_store
from sheets.simulation.balance.report import PlannedGames, measure
from sheets.simulation.balance.shipped_figures import shipped_totals
from sheets.workshop import store as workshop_store
from tests.groups.bot_games import add_bot_game, evening_on, move_to_evening
from tests.groups.played_games import create_scoring
from tests.page_text import unmarked
from tests.score_levels import GARDEN
from tests.tables.table_clients import finished_party

pytestmark = pytest.mark.django_db

BUTTERFLY = level_digest(find_level("level-1"))
SOMEBODY = (("Ana", "Ben"), ("Ana", "Ben", "Ida"), ("Ana",), ("Ida", "Ben"))


def create_family() -> Access[Group]:
    return store.find(store.create("Family"))


def add_some_games(
    access: Access[Group], count: int, first: int = 0
) -> list[tuple[str, GroupGame, Game]]:
    numbers = range(first, first + count)
    return [add_bot_game(access, SOMEBODY[i % len(SOMEBODY)], i) for i in numbers]


def plain_count(games: list[Game]) -> dict[str, int]:
    counts = Counter(
        name for game in games for sheet in game.sheets for name in game.level.names(sheet.crosses)
    )
    return {field.name: counts[field.name] for field in games[0].level.fields}


def crossed_on(group: Group, digest: str, year: int = 0) -> Crossed | None:
    sheets = crossed_sheets(read_games(group, GameFilter(year, digest)))
    return crossed_in(group.levels.filter(digest=digest).first(), sheets)


def crosses_of(group: Group) -> dict[str, int]:
    found = crossed_on(group, BUTTERFLY)
    assert found
    return dict(zip((field.name for field in found.level.fields), found.counts, strict=True))


@pytest.mark.postgresql
def test_crosses_are_summed_up_when_games_are_added_and_deleted() -> None:
    access = create_family()
    kept = add_some_games(access, 6)
    games = [game for _key, _kept, game in kept]
    found = crossed_on(access.resource, BUTTERFLY)
    assert found
    assert (found.games, found.sheets) == (6, sum(len(game.sheets) for game in games))
    assert crosses_of(access.resource) == plain_count(games)
    # Another tap on sheets that were added.
    scoring = scoring_store.find(kept[0][0])
    mark = scoring.resource.sheets.get(number=1).marks.filter(value="cross")[0]
    mark.delete()
    Scoring.objects.filter(pk=scoring.resource.pk).update(revision=99)
    game_store.update_changed_games(access.resource)
    fewer = plain_count(games)
    fewer[mark.at] -= 1
    assert crosses_of(access.resource) == fewer
    # Deleted sheets and forgotten players do not change the crosses.
    delete_resource(scoring_store.find(kept[1][0]))
    players.delete(access, 1)
    assert crosses_of(access.resource) == fewer
    store.delete_game(access, kept[0][1].number)
    assert crosses_of(access.resource) == plain_count(games[1:])
    move_to_evening(kept[1][1], games[1], evening_on(2020, 5, 1))
    assert crosses_of(access.resource) == plain_count(games[1:])
    early = crossed_on(access.resource, BUTTERFLY, 2020)
    assert early
    assert early.games == 1
    assert early.counts == list(plain_count(games[1:2]).values())
    for _key, game, _played in kept[1:]:
        store.delete_game(access, game.number)
    assert not GroupLevel.objects.exists()


def test_a_game_that_is_open_again_counts_no_crosses() -> None:
    access = create_family()
    key, _kept, _game = add_bot_game(access, ("Ana", "Ben"), 1)
    scoring = scoring_store.find(key)
    scoring.resource.sheets.get(number=1).marks.all().delete()
    Scoring.objects.filter(pk=scoring.resource.pk).update(revision=99)
    game_store.update_changed_games(access.resource)
    assert GroupGame.objects.get().is_open
    assert crossed_on(access.resource, BUTTERFLY) is None


def test_tables_are_counted_without_their_bots_and_timed_without_pauses() -> None:
    access = create_family()
    party = finished_party("Ana", "Ben", level="level-1")
    party.access().table.seats.filter(number=1).update(bot="greedy", token_digest="")
    entries = list(Entry.objects.order_by("number"))
    begun = evening_on(2026, 5, 1)
    for place, entry in enumerate(entries):
        late = timedelta(hours=2) if place >= len(entries) // 2 else timedelta()
        Entry.objects.filter(pk=entry.pk).update(made=begun + timedelta(seconds=10 * place) + late)
    game = game_store.add_game(access, party.access().table)
    assert game.seconds == 10 * (len(entries) - 2)
    sheet = party.game.sheets[0]
    found = crossed_on(access.resource, BUTTERFLY)
    assert found
    assert (found.games, found.sheets) == (1, 1)
    assert [found.level.fields[i].name for i, count in enumerate(found.counts) if count] == (
        party.game.level.names(sheet.crosses)
    )


@pytest.mark.postgresql
def test_figures_of_a_level_equal_a_plain_recomputation() -> None:
    access = create_family()
    kept = add_some_games(access, 24)
    add_bot_game(access, ("Ana", "Ben"), 77, "level-2")
    game_store.add_game(access, create_scoring({"Ana": 10, "Ben": 4}, "level-3")[1])
    enter(
        access, [PaperGame(evening_on(2019, 1, 1).date(), "Butterfly", (("Ana", 99), ("Tom", 3)))]
    )
    for (_key, game, _played), seconds in zip(kept, range(600, 5000, 60), strict=False):
        GroupGame.objects.filter(pk=game.pk).update(seconds=seconds)
    totals, sheets = defaultdict(list), []
    for place, (_key, _kept, game) in enumerate(kept):
        for name, score in zip(SOMEBODY[place % len(SOMEBODY)], game.scores(), strict=True):
            totals[len(game.players)].append(score.total)
            sheets.append((name, score))
    totals[2] += [99, 3]
    found = on_level(access.resource, BUTTERFLY)
    assert (found.title, found.games, found.sheets) == ("Butterfly", 25, len(sheets) + 2)
    assert [(one.players, one.sheets) for one in found.means] == [
        (count, len(points)) for count, points in sorted(totals.items())
    ]
    for one in found.means:
        assert one.mean == pytest.approx(mean(totals[one.players]))
    best, alone, *rows = found.records
    assert (best.points, best.holders) == (99, [("Ana", evening_on(2019, 1, 1).date())])
    assert (alone.points, [name for name, _day in alone.holders]) == (max(totals[1]), ["Ana"])
    for category, row in zip(("gems", "lines", "puzzles"), rows, strict=True):
        most = max(score.by_category[category] for _name, score in sheets)
        assert row.points == most
        holders = {name for name, score in sheets if score.by_category[category] == most}
        assert {name for name, _day in row.holders} == holders
    assert found.longest
    assert found.shortest
    assert (found.timed, found.longest.minutes, found.shortest.minutes) == (24, 33, 10)
    assert found.longest.names == list(
        GroupResult.objects.filter(game=kept[-1][1]).values_list("player__name", flat=True)
    )
    shown, heat = found.figures
    assert [row[2] for row in shown.rows if row[1] == "You"] == [
        str(len(points)) for _count, points in sorted(totals.items())
    ]
    bots = shipped_totals()["level-1"]
    assert [row[2] for row in shown.rows if row[1] == "Bots"] == [
        str(len(bots[count].totals)) for count in (1, 2, 3)
    ]
    assert found.bots == sum(bots[count].games for count in (1, 2, 3)) == 6000
    crossed = plain_count([game for _key, _kept, game in kept])
    shares = {name: f"{100 * count / len(sheets):.0f}" for name, count in crossed.items()}
    cells = {
        f"{'abcdefgh'[i]}{row[0]}": cell for row in heat.rows for i, cell in enumerate(row[1:])
    }
    assert {name: cell for name, cell in cells.items() if cell} == shares
    assert f"{len(sheets)} sheets of 24 games" in heat.sentence


def test_the_page_of_a_level_shows_its_figures(client: Client) -> None:
    access = create_family()
    add_some_games(access, 4)
    url = f"/groups/{access.share_key}/levels/{BUTTERFLY}/"
    few = client.get(url).content.decode()
    assert "From 4 games." in few
    assert "There is more to say from five games on." in few
    assert '<svg class="plot"' not in few
    add_some_games(access, 4, first=4)
    page = client.get(url).content.decode()
    assert "From 8 games." in page
    assert page.count('<svg class="plot"') == page.count("<summary>As a table") == 2
    assert f'href="{url}"' in client.get(f"/groups/{access.share_key}/").content.decode()
    assert f'href="{url}"' in client.get(f"/groups/{access.share_key}/players/1/").content.decode()
    for nowhere in ("0" * 16, "x" * 16, BUTTERFLY[:15], "level-1"):
        assert client.get(f"/groups/{access.share_key}/levels/{nowhere}/").status_code == 404
    other = create_family()
    assert client.get(f"/groups/{other.key}/levels/{BUTTERFLY}/").status_code == 404


def test_records_begin_with_the_first_game_and_name_all_holders(client: Client) -> None:
    access = create_family()
    url = f"/groups/{access.share_key}/levels/{BUTTERFLY}/"
    for day, game in (
        (3, (("Ana", 50), ("Ben", 30))),
        (2, (("Ida", 40), ("Ben", 50))),
        (4, (("Ana", 50), ("Ida", 2))),
    ):
        enter(access, [PaperGame(evening_on(2019, 1, day).date(), "Butterfly", game)])
    (record,) = on_level(access.resource, BUTTERFLY).records
    days = [evening_on(2019, 1, day).date() for day in (2, 3)]
    assert record == ("Best total", 50, [("Ben", days[0]), ("Ana", days[1])])
    page = client.get(url).content.decode()
    assert re.search(r"Best total<br>.*>Ben</bdi>, 2 Jan 2019; .*>Ana</bdi>, 3 Jan 2019<", page)


def test_enough_games_without_points_have_no_records(client: Client) -> None:
    access = create_family()
    nothing = (("Ana", 0), ("Ben", 0))
    enter(
        access,
        [PaperGame(evening_on(2019, 1, day).date(), "Butterfly", nothing) for day in range(1, 6)],
    )
    url = f"/groups/{access.share_key}/levels/{BUTTERFLY}/"
    page = client.get(url).content.decode()
    assert "From 5 games." in page
    assert ">Records<" not in page
    assert "There is more to say" not in page


def test_a_level_without_sheets_says_so(client: Client) -> None:
    access = create_family()
    enter(access, [PaperGame(evening_on(2019, 1, 1).date(), "Butterfly", (("Ana", 9), ("Ben", 3)))])
    page = client.get(f"/groups/{access.key}/levels/{BUTTERFLY}/").content.decode()
    assert "What was crossed is not known here" in page


def test_an_edited_level_is_another_level_and_says_so(client: Client) -> None:
    access = create_family()
    edited = parse_level({**format_level(find_level("level-1")), "rounds": {"1": 3, "2": 3}})
    for level in (find_level("level-1"), edited, edited):
        key = scoring_store.create(level, ["Ana", "Ben"])
        scoring = scoring_store.find(key)
        for sheet in scoring.resource.sheets.all():
            scoring_store.confirm_blank(scoring, sheet.number)
        game_store.add_game(access, scoring_store.find(key).resource)
    told = level_digest(edited)
    page = unmarked(client.get(f"/groups/{access.key}/levels/{BUTTERFLY}/"))
    assert "An edited level is another level" in page
    assert f"/levels/{told}/" in page
    assert "Butterfly, version 2, 2 games, the last on" in page
    assert "<h1>Butterfly</h1>" in page
    page = unmarked(client.get(f"/groups/{access.key}/levels/{told}/"))
    assert "<h1>Butterfly, version 2</h1>" in page
    assert "Butterfly, 1 game, on" in page
    assert [one.digest for one in on_level(access.resource, told).versions] == [BUTTERFLY]
    assert on_level(access.resource, told).bots == 0


def test_bots_play_an_own_level_once_a_report_is_requested(
    client: Client,
) -> None:
    access = create_family()
    owner = workshop_store.find(workshop_store.create(GARDEN)).resource
    level = parse_level(owner.document)
    for _time in range(3):
        key = scoring_store.create(level, ["Ana", "Ben"])
        scoring = scoring_store.find(key)
        for sheet in scoring.resource.sheets.all():
            scoring_store.confirm_blank(scoring, sheet.number)
        game_store.add_game(access, scoring_store.find(key).resource)
    assert on_level(access.resource, level_digest(level)).bots == 0
    url = f"/groups/{access.share_key}/levels/{level_digest(level)}/"
    asks = "Make its balance report in the workshop"
    plain = client.get(url).content.decode()
    assert asks in plain
    # There is no record yet; the order of headings stays the same.
    assert re.findall("<h([1-3])", plain)[:3] == ["1", "2", "3"]
    report = measure(level, [PlannedGames(2, 20)], processes=1)
    Job.objects.create(
        level=WorkshopLevel.objects.get(),
        document=format_level(level),
        state=Job.DONE,
        total=20,
        report=report,
    )
    assert on_level(access.resource, level_digest(level)).bots == 20
    page = client.get(url).content.decode()
    assert asks not in page
    assert "The bots have played 20 games to compare with." in page


def test_crosses_and_levels_are_exported(client: Client) -> None:
    access = create_family()
    add_some_games(access, 6)
    content = client.get(f"/groups/{access.key}/group.json").content
    url = client.post("/groups/file/", {"document": SimpleUploadedFile("g.json", content)}).headers[
        "Location"
    ]
    other = store.find(url.split("/")[2])
    assert crosses_of(other.resource) == crosses_of(access.resource)
    numbers = other.resource.games.values_list("number", flat=True)
    for number in list(numbers):
        store.delete_game(other, number)
    assert not other.resource.levels.exists()
    document = json.loads(content)
    for levels in ([{}], [{"format": "dizzle-level/1"}], [document["levels"][0] | {"grid": []}]):
        read = read_group(json.dumps(document | {"levels": levels}).encode())
        assert [one.fault.place[:2] for one in read.skipped] == [("levels", 0)]
        assert len(read.group.games) == len(document["games"])
    with pytest.raises(DocumentError):
        read_group(json.dumps(document | {"levels": 1}).encode())
    document["games"][0]["results"][0]["crossed"] = "xyz"
    assert len(read_group(json.dumps(document).encode()).skipped) == 1


def test_crosses_on_missing_fields_are_not_counted(client: Client) -> None:
    access = create_family()
    add_bot_game(access, ("Ana",), 1)
    document = json.loads(client.get(f"/groups/{access.key}/group.json").content)
    document["games"][0]["results"][0]["crossed"] = "f" * 169
    body = SimpleUploadedFile("g.json", json.dumps(document).encode())
    url = client.post("/groups/file/", {"document": body}).headers["Location"]
    group = store.find(url.split("/")[2]).resource
    assert set(crosses_of(group).values()) == {1}


def test_a_bought_sheet_is_not_exported_and_is_recognised_when_played() -> None:
    access = create_family()
    add_bot_game(access, ("Ana", "Ben"), 3)
    Scoring.objects.update(is_bought=True, revision=99)
    game_store.update_changed_games(access.resource)
    assert GroupLevel.objects.get().is_bought
    content = format_group(access.resource)
    assert b'"levels":[]' in content
    assert b'"grid"' not in content
    other = store.find(import_group(read_group(content).group))
    assert crossed_on(other.resource, BUTTERFLY) is None
    add_bot_game(other, ("Ana", "Ben"), 4)
    found = crossed_on(other.resource, BUTTERFLY)
    assert found
    assert (found.games, found.sheets) == (2, 4)
