"""What somebody gave away, game by game: looked at for a group, kept with its games, and shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from sheets.access.keys import Access, NotAllowed
from sheets.analysis import given_away, jobs, looking
from sheets.groups import documents, given, joining, keeping, players, store
from sheets.groups.filters import ALL, Choice
from sheets.groups.given import CanLook, Given
from sheets.groups.given_figures import Mean, Shown, change, shown_given
from sheets.jobs import queue, requester_limits, worker
from sheets.jobs.kinds import KINDS
from sheets.models import GivenAway, Group, GroupGame, GroupPlayer, Job, Seat, Table
from sheets.tables import playing, reading
from tests.groups import shown
from tests.groups.played_games import scored
from tests.jobs.requesters import SOMEBODY
from tests.table_games import Party
from tests.tables.table_clients import client_of, finished_party
from tests.tables.test_look import rolled_party

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Notes the workers that would have been started, and plays very few games; dice are fixed."""
    calls: list[bool] = []
    random = Random(4)
    monkeypatch.setattr(playing, "_throw", lambda: random.randint(1, 6))
    monkeypatch.setattr(worker, "start_worker", lambda: calls.append(True))
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0)
    monkeypatch.setattr(looking, "TIMES", (12, 16, 16))
    monkeypatch.setattr(looking, "STARTS", (0, 12, 12))
    return calls


def family() -> Access[Group]:
    return store.find(store.create("Family"))


def kept(*parties: Party) -> Access[Group]:
    """A group that has the games of some tables."""
    access = family()
    for party in parties:
        keeping.keep(access, party.access().table)
    return access


def looked_at(*parties: Party) -> Access[Group]:
    """A group that has had them looked at."""
    access = kept(*parties)
    given.ask(access, access.thing.players.order_by("number")[0], ALL, SOMEBODY)
    assert worker.run_jobs(KINDS) == len(parties)
    return access


def somebody(access: Access[Group], name: str = "Ana") -> GroupPlayer:
    return access.thing.players.get(name=name)


def url(access: Access[Group], more: str = "", name: str = "Ana", key: str = "") -> str:
    return f"/groups/{key or access.key}/players/{somebody(access, name).number}/{more}"


def page(access: Access[Group], name: str = "Ana", key: str = "", query: str = "") -> str:
    answer = Client().get(url(access, query, name, key))
    assert answer.status_code == 200
    return answer.content.decode()


def count(access: Access[Group], name: str = "Ana", choice: Choice = ALL) -> CanLook:
    player = somebody(access, name)
    return given.can_look(player, choice, player.results.filter(choice.on_results()).count())


# Looked at and kept ------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_solo_game_is_looked_at_and_shown(started: list[bool]) -> None:
    access = kept(rolled_party("Ana"))
    assert "Analyse the last game that has no analysis yet" in page(access)
    answer = Client().post(url(access, "looks/"), {"do": "start"})
    assert answer.headers["Location"] == f"{url(access)}#given"
    waiting = page(access)
    assert started
    assert "1 game of this group is being analysed." in waiting
    assert 'value="start"' not in waiting
    assert worker.run_jobs(KINDS) == 1
    done = page(access)
    assert "In the one game that was analysed, Ana gave away" in done
    assert 'value="start"' not in done
    assert "Where it goes alone" in done
    assert " style=" not in done
    row = GivenAway.objects.get()
    job = Job.objects.get()
    assert job.report is not None
    assert row.engine == given_away.ENGINE
    assert row.decisions == len(job.report["decisions"])


def test_everybody_of_a_game_has_their_own_but_bots_and_those_without_a_name() -> None:
    party = rolled_party("Ana", "Ben", "Cem", "Dora")
    seats = Seat.objects.filter(table__code=party.code)
    seats.filter(number=1).update(bot="expert")
    access = kept(party)
    players.delete(access, somebody(access, "Cem").number)
    given.ask(access, somebody(access), ALL, SOMEBODY)
    assert worker.run_jobs(KINDS) == 1
    first = Job.objects.get().first
    assert first is not None
    rows = GivenAway.objects.values_list("result__player__name", "points", "decisions", "parts")
    assert list(rows.order_by("result__seat")) == [
        (name, *(first["seats"][seat][key] for key in ("points", "decisions", "parts")))
        for name, seat in (("Ana", 0), ("Dora", 3))
    ]


def test_alone_and_with_others_are_told_apart() -> None:
    access = looked_at(rolled_party("Ana"), rolled_party("Ana", "Ben"), rolled_party("Ana"))
    html = page(access)
    assert html.index("Given away alone") < html.index("In the one game")
    assert "In the 2 games that were analysed, Ana gave away" in html
    tables = shown.tables(shown.read(html))
    assert [row[0] for row in tables["Given away alone"].rows] == [
        f"Tiny, {shown.day_words(game.evening)}"
        for game in access.thing.games.filter(results__chance=1)
    ]
    for name in ("Where it goes alone", "Where it goes with others"):
        halves = tables[name].rows[-2:]
        kinds = tables[name].rows[:-2]
        assert [row[0] for row in halves] == ["First half", "Second half"]
        for column in (2, 3):
            sums = [sum(float(row[column]) for row in rows) for rows in (kinds, halves)]
            assert sums[0] == pytest.approx(sums[1], abs=0.3)
    assert "Given away" not in page(access, "Ben").split("Given away with others")[0]
    assert "In the one game that was analysed, Ben gave away" in page(access, "Ben")


def test_a_look_from_before_the_game_was_kept_counts_as_well() -> None:
    party = rolled_party("Ana")
    client_of(party).post(f"/table/{party.code}/look/", {"do": "start"})
    assert worker.run_jobs(KINDS) == 1
    assert not GivenAway.objects.exists()
    kept(party)
    assert GivenAway.objects.count() == 1


def test_however_closely_is_looked_the_first_answer_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(looking, "TIMES", (96, 96, 96))
    party = rolled_party("Ana")
    access = looked_at(party)
    job = Job.objects.get()
    assert job.report is not None
    assert job.report["round"] == 1
    first = list(GivenAway.objects.values("points", "within", "parts"))
    assert first == [
        {name: given_away.given_away(job.report)["seats"][0][name] for name in first[0]}
    ]
    assert first[0]["points"]
    here = f"/table/{party.code}/look/"
    assert "Analyse more closely" in client_of(party).get(here).content.decode()
    client_of(party).post(here, {"do": "start"})
    assert worker.run_jobs(KINDS) == 1
    job = Job.objects.get()
    assert job.report is not None
    assert job.report["round"] == 2
    assert given_away.given_away(job.report)["seats"][0]["points"] != first[0]["points"]
    assert list(GivenAway.objects.values("points", "within", "parts")) == first
    assert "Analyse more closely" not in client_of(party).get(here).content.decode()
    assert page(access).count("In the one game") == 1


def test_once_a_game_has_gone_on_it_is_as_if_nobody_had_looked() -> None:
    access = looked_at(rolled_party("Ana"))
    Table.objects.update(revision=F("revision") + 1)
    keeping.look_again(access.thing)
    assert GivenAway.objects.count() == 1  # somebody has another name, say
    Table.objects.update(revision=F("revision") + 1)
    Job.objects.update(document={})
    keeping.look_again(access.thing)
    assert not GivenAway.objects.exists()
    assert count(access).ready == 1


def test_it_stays_when_the_table_is_gone() -> None:
    access = looked_at(rolled_party("Ana"))
    before = page(access)
    Table.objects.all().delete()
    assert not Job.objects.exists()
    said = "In the one game that was analysed"
    assert said in before
    assert said in page(access)


def test_what_an_older_engine_found_is_not_compared() -> None:
    access = looked_at(rolled_party("Ana"), rolled_party("Ana"))
    row = GivenAway.objects.order_by("pk")[0]
    GivenAway.objects.filter(pk=row.pk).update(engine=given_away.ENGINE + 1)
    assert len(given.given_by(somebody(access), ALL, is_alone=True)) == 1
    assert count(access).ready == 1
    html = page(access)
    assert "1 game was analysed by an older method" in html
    assert "In the one game that was analysed" in html
    given.ask(access, somebody(access), ALL, SOMEBODY)
    assert worker.run_jobs(KINDS) == 1
    assert set(GivenAway.objects.values_list("engine", flat=True)) == {given_away.ENGINE}
    Job.objects.update(first={"engine": given_away.ENGINE + 1, "seats": []})
    Table.objects.update(revision=F("revision") + 1)
    keeping.look_again(access.thing)
    assert not GivenAway.objects.exists()


# What belongs to whom ----------------------------------------------------------------------------


@pytest.mark.postgresql
def test_what_is_deleted_takes_it_along() -> None:
    access = looked_at(rolled_party("Ana"), rolled_party("Ana", "Ben"))
    players.delete(access, somebody(access, "Ben").number)
    assert set(GivenAway.objects.values_list("result__player__name", flat=True)) == {"Ana"}
    store.delete_game(access, 1)
    assert GivenAway.objects.count() == 1
    store.delete(access)
    assert not GivenAway.objects.exists()
    assert not Job.objects.exists()


def test_a_deleted_game_is_not_waited_for() -> None:
    access = kept(rolled_party("Ana"), rolled_party("Ana"))
    given.ask(access, somebody(access), ALL, SOMEBODY)
    store.delete_game(access, 1)
    assert len(given.waited_for(access.thing)) == 1
    assert worker.run_jobs(KINDS) == 1
    assert GivenAway.objects.get().result.game.number == 2


def test_who_is_merged_has_it_with_the_games() -> None:
    access = kept(rolled_party("Ana"), rolled_party("Anna"))
    ana, anna = somebody(access), somebody(access, "Anna")
    for player in (ana, anna):
        given.ask(access, player, ALL, SOMEBODY)
    assert worker.run_jobs(KINDS) == 2
    players.merge(access, anna.number, ana.number)
    assert "In the 2 games that were analysed" in page(access)
    players.take_apart(access, anna.number)
    assert "In the one game that was analysed, Anna" in page(access, "Anna")
    assert "In the one game that was analysed, Ana" in page(access)


def test_it_is_not_in_the_document_of_a_group() -> None:
    access = looked_at(rolled_party("Ana"))
    text = documents.format_group(access.thing)
    assert not re.search(rb"given|engine|within|mistakes", text)
    joining.take_in(documents.read_group(text).group)
    assert GivenAway.objects.count() == 1


# Which games, and in what order ------------------------------------------------------------------


def test_what_cannot_be_looked_at_is_named() -> None:
    access = kept(rolled_party("Ana"), finished_party("Ana", "Ben"), rolled_party("Ana"))
    keeping.keep(access, scored({"Ana": 20, "Ben": 10})[1])
    failing = access.thing.games.get(number=3).table
    assert failing
    looks = failing.looks
    looks.create(document={}, total=1, state=Job.FAILED, reason="too-long")
    assert count(access) == CanLook(1, 0, no_log=1, no_dice=1, failed=1, outdated=0)
    html = page(access)
    assert "3 games cannot be analysed" in html
    for reason in ("1 has no record", "1 had its dice on the table", "1 takes too long"):
        assert reason in html
    looks.update(reason="killed")
    assert count(access).ready == 2
    year = access.thing.games.get(number=1).evening.year
    assert count(access, choice=Choice(year=year - 1)) == CanLook(0, 0, 0, 0, 0, 0)
    assert count(access, choice=Choice(players=2)) == CanLook(0, 0, 1, 1, 0, 0)


def test_who_has_played_at_no_table_reads_nothing_of_it() -> None:
    access = family()
    keeping.keep(access, scored({"Ana": 20})[1])
    assert "given away" not in page(access)


def test_the_latest_games_come_first_and_so_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given, "AT_ONCE", 2)
    access = kept(*(rolled_party("Ana") for _ in range(3)))
    for game in access.thing.games.all():
        game.results.update(played=F("played") - timedelta(days=game.number))
    assert "Analyse the last 2 games" in page(access)
    given.ask(access, somebody(access), ALL, SOMEBODY)
    asked = [job.table_id for job in given.waited_for(access.thing)]
    assert asked == [access.thing.games.get(number=number).table_id for number in (1, 2)]
    assert count(access)[:2] == (1, 2)


def test_who_waits_at_a_page_comes_before_a_group() -> None:
    first, second = rolled_party("Ana"), rolled_party("Cem")
    access = kept(first)
    given.ask(access, somebody(access), ALL, SOMEBODY)
    client_of(second).post(f"/table/{second.code}/look/", {"do": "start"})
    (waiting,) = given.waited_for(access.thing)
    assert queue.jobs_ahead(waiting) == 1
    assert "1 other is before it." in page(access)
    claimed = queue.claim("worker")
    assert claimed
    assert claimed.table == second.access().table
    assert queue.jobs_ahead(waiting) == 1
    assert queue.claim("another") is None  # one at a time


def test_a_group_takes_no_look_from_who_waits_for_it() -> None:
    party = rolled_party("Ana")
    access = kept(party)
    client_of(party).post(f"/table/{party.code}/look/", {"do": "start"})
    job = Job.objects.get()
    assert count(access)[:2] == (0, 1)
    table = party.access()
    assert jobs.ask(table.table, reading.record_of(table), SOMEBODY, access.thing) == job
    assert job.group is None


def test_a_group_leaves_room_in_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requester_limits, "MAX_WAITING", requester_limits.RESERVED + 1)
    access = kept(rolled_party("Ana"), rolled_party("Ana"))
    answer = Client().post(url(access, "looks/"), {"do": "start"})
    assert answer.status_code == 302
    assert len(given.waited_for(access.thing)) == 1
    answer = Client().post(url(access, "looks/"), {"do": "start"})
    assert answer.status_code == 503
    assert "Too many reports and game analyses" in answer.content.decode()
    other = rolled_party("Cem")
    client_of(other).post(f"/table/{other.code}/look/", {"do": "start"})
    assert Job.objects.count() == 2


def test_looks_are_cancelled_together() -> None:
    access = kept(rolled_party("Ana"), rolled_party("Ana"))
    given.ask(access, somebody(access), ALL, SOMEBODY)
    assert Client().post(url(access, "looks/"), {"do": "cancel"}).status_code == 302
    assert worker.run_jobs(KINDS) == 0
    assert "Analyse the last 2 games" in page(access)


def test_who_may_only_look_asks_for_nothing() -> None:
    access = kept(rolled_party("Ana"))
    key = access.share_key
    assert 'value="start"' not in page(access, key=key)
    for do in ("start", "cancel"):
        answer = Client().post(url(access, "looks/", key=key), {"do": do})
        assert answer.status_code == 403
    with pytest.raises(NotAllowed):
        given.ask(store.find(key), somebody(access), ALL, SOMEBODY)
    assert not Job.objects.exists()
    assert Client().get(url(access, "looks/state/", key=key)).status_code == 200


def test_addresses_answer_what_makes_no_sense() -> None:
    access = kept(rolled_party("Ana"))
    assert Client().post(url(access, "looks/"), {"do": "nonsense"}).status_code == 400
    assert Client().get(url(access, "looks/")).headers["Location"] == url(access)
    for more in ("looks/", "looks/state/"):
        there = f"/groups/{access.key}/players/99/{more}"
        assert Client().post(there, {"do": "start"}).status_code in (404, 405)
    assert Client().get(f"/groups/{access.key}/players/99/looks/state/").status_code == 404


def test_the_page_is_loaded_anew_as_soon_as_one_is_done() -> None:
    access = kept(rolled_party("Ana"), rolled_party("Ana"))
    given.ask(access, somebody(access), ALL, SOMEBODY)
    client, state = Client(), url(access, "looks/state/")
    assert f"{state}?left=2" in page(access)
    assert "HX-Refresh" not in client.get(state, {"left": "2"}).headers
    job = queue.claim("worker")
    assert job
    assert 'class="progress"' in client.get(state, {"left": "2"}).content.decode()
    worker.run_job(job, KINDS[job.kind])
    answer = client.get(state, {"left": "2"})
    assert answer.headers["HX-Refresh"] == "true"
    assert "no-store" in answer.headers["Cache-Control"]


def test_what_is_done_while_the_page_is_made_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    access = kept(rolled_party("Ana"))
    given.ask(access, somebody(access), ALL, SOMEBODY)
    given_by = given.given_by

    def meanwhile(*asked: Any, **more: Any) -> list[Given]:
        found = given_by(*asked, **more)
        worker.run_jobs(KINDS)
        return found

    monkeypatch.setattr(given, "given_by", meanwhile)
    html = page(access)
    assert "In the one game that was analysed" in html or "?left=1" in html


# What is said of it ------------------------------------------------------------------------------


def games(*points: float, within: float = 1.0, **more: Any) -> list[Given]:
    """Games in which so much was given away, by placing dice, all in the first half."""
    return [
        Given(
            date(2026, 1, 1) + timedelta(days=number),
            GroupGame(level_digest=more.get("levels", "1" * len(points))[number]),
            50,
            one,
            within,
            0.0,
            10,
            1,
            [["place", 0, one, within, 0.0, 10, 1], ["drop", 1, 0.0, 0.0, 0.0, 4, 0]],
        )
        for number, one in enumerate(points)
    ]


def said(some: list[Given]) -> Shown:
    found = shown_given("Ana", some, {}, is_alone=True)
    assert found
    return found


def plain(cells: Sequence[str]) -> list[str]:
    return [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in cells]


def test_five_games_stand_beside_the_five_before() -> None:
    found = said(games(99, 11, 10, 12, 11, 11, 6, 5, 7, 6, 6))
    assert found.sentence == "Ana gave away 6 points a game lately, 11 before."
    assert found.verdict == "That is clearly less."
    more = said(games(6, 5, 7, 6, 6, 11, 10, 12, 11, 11))
    assert more.sentence == "Ana gave away 11 points a game lately, 6 before."
    assert more.verdict == "That is clearly more."
    assert "several levels" not in found.note


def test_no_progress_is_claimed_where_it_can_be_chance() -> None:
    far_apart = said(games(21, 1, 18, 4, 11, 16, 1, 11, 0, 2))
    assert far_apart.sentence == "Ana gave away 6 points a game lately, 11 before."
    assert far_apart.verdict.startswith("That can be chance: from so few games")
    # Nor where each game is known badly, however alike they seem.
    badly_known = said(games(11, 10, 12, 11, 11, 6, 5, 7, 6, 6, within=10))
    assert badly_known.verdict.startswith("That can be chance")


def test_how_much_less_is_as_uncertain_as_games_lie_apart() -> None:
    found = change(games(8, 10, 12, 10, 10, within=0.1), games(4, 6, 8, 6, 6, within=0.1))
    # Deviations 0, 0, 0, 2 and 2: a standard error of the square root of 2 / 5.
    error = (2 / 5) ** 0.5
    assert found == Mean(4.0, pytest.approx(2.776 * error * 2**0.5))


def test_several_levels_are_mentioned() -> None:
    assert "They were on several levels" in said(games(*range(10), levels="1111111112")).note


def test_below_ten_games_nothing_is_compared() -> None:
    found = said(games(3, 5, 4, within=3))
    assert found.sentence == (
        "In the 3 games that were analysed, Ana gave away 4 points a game, give or take 1.7."
    )
    assert found.verdict == ""
    assert "From ten games on" in found.note
    assert "gave away 0 points" in said(games(-2, -1)).sentence


def test_of_one_game_there_is_no_line() -> None:
    assert [one.name for one in said(games(3)).figures] == ["where-alone"]
    assert shown_given("Ana", [], {}, is_alone=True) is None


def test_many_games_are_drawn_as_means_of_some() -> None:
    few, many = said(games(*range(24))).figures[0], said(games(*range(100))).figures[0]
    assert len(few.rows) == 24
    assert plain(few.rows[3][1:3]) == ["3.0 ± 1.0", "1 of 10 choices"]
    assert len(many.rows) == 24
    assert sum(int(row[3]) for row in many.rows) == 100
    assert plain(many.rows[0][1:2]) == ["1.5 ± 0.5"]  # of four games
    assert "All 100 games in their order" in many.sentence


def test_where_it_goes_is_said_only_where_it_is_clear() -> None:
    clear = said(games(6, 6)).figures[-1]
    assert "Most of it: placing dice." in clear.sentence
    assert "More goes in the first half" in clear.sentence
    assert [plain(row) for row in clear.rows] == [
        ["Placing dice", "6.0 ± 0.7", "10.0", "1.0"],
        ["Rerolling or dropping out", "0.0", "4.0", "0.0"],
        ["First half", "6.0 ± 0.7", "10.0", "1.0"],
        ["Second half", "0.0", "4.0", "0.0"],
    ]
    unclear = said(games(6, 6, within=20)).figures[-1]
    assert "Most of it" not in unclear.sentence
    assert "no clear difference" in unclear.sentence
