"""Tests of the analysis of a table's game: permission, content and retention."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from sheets.analysis import analyser
from sheets.analysis import presentation as look_words
from sheets.bots import BOTS, deciding_players
from sheets.jobs import queue, requester_limits, worker
from sheets.jobs.kinds import KINDS
from sheets.models import Job, Seat
from sheets.rules import parse_level
from sheets.rules.documents.game import format_game
from tests.analysis.tiny_games import play_tiny_game
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Record the workers that would have been started, and play very few games."""
    calls: list[bool] = []
    monkeypatch.setattr(worker, "start_worker", lambda: calls.append(True))
    monkeypatch.setattr(worker, "HEARTBEAT_SECONDS", 0)
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (12, 24, 24))
    monkeypatch.setattr(analyser, "GAMES_PER_PASS", (0, 16, 16))
    return calls


def rolled_party(*names: str) -> Party:
    """Return a table with a finished game with the app's dice and many random actions."""
    random = Random(4)
    bot = BOTS["random"](random)
    party = sit_down(names or ("Ana", "Ben"), TINY, "rolled")
    while party.game.phase != "finished":
        game = party.game
        if deciding := deciding_players(game):
            act = bot.choose(game, deciding[0])
            party.act(act.do, act.player, act.at, shape=act.shape)
        else:
            party.act(game.phase, by=game.start_player)
    return party


def url(party: Party, more: str = "") -> str:
    return f"/table/{party.code}/look/{more}"


def text(response: HttpResponse) -> str:
    return response.content.decode()


def analysed_client(party: Party) -> Client:
    """Return a client with a seat, after the analysis of the game."""
    client = client_of(party)
    assert client.post(url(party), {"do": "start"}).status_code == 302
    assert worker.run_jobs(KINDS) == 1
    return client


@pytest.mark.postgresql
def test_an_analysis_is_requested_computed_and_shown(started: list[bool]) -> None:
    party = rolled_party()
    client = client_of(party)
    assert url(party) in text(client.get(f"/table/{party.code}/"))
    assert "For every choice" in text(client.get(url(party)))
    assert client.post(url(party), {"do": "start"}).headers["Location"] == url(party)
    page = text(client.get(url(party)))
    assert started
    assert "The analysis takes about a minute." in page
    assert 'class="progress"' in page
    assert worker.run_jobs(KINDS) == 1
    page = text(client.get(url(party)))
    assert "The biggest mistakes" in page
    assert page.count('class="plot"') == 1
    assert "As a table" in page
    assert '<th scope="row">before pass 1</th>' in page
    assert '<th scope="row">at the end</th>' in page
    assert "Own play <small>compared with a bot</small>" in page
    # The table has points only. The number of mistakes stands below it.
    table = page[(start := page.index("look-sources")) : page.index("</table>", start)]
    assert "istakes" not in table
    assert "Clear mistakes in all:" in page
    assert page.index("<h3>The chance to win") < page.index('class="row figure-key"')
    assert 'value="start"' not in page
    assert " style=" not in page
    for score in party.game.scores():
        assert f"<td>{score.total}</td>" in re.sub(r"\s+", "", page).replace("−", "-")


def test_an_analysis_is_shown_in_german() -> None:
    party = rolled_party()
    analysed_client(party)
    page = text(client_of(party, language="de").get(url(party)))
    assert "Würfel und Entscheidungen" in page
    assert "Eigenes Spiel" in page
    assert "Luck" not in page


def test_the_replay_shows_the_value_of_every_choice() -> None:
    party = rolled_party()
    client = analysed_client(party)
    decisions = Job.objects.get().report["decisions"]
    replay = f"/table/{party.code}/history/"
    for decision in decisions[::9]:
        page = text(client.get(replay, {"at": decision["action"] + 1}))
        assert "What could be done" in page
        assert page.count('<th scope="row">') >= len(decision["choices"])
        assert page.count(">played<") == 1
    assert "What could be done" not in text(client.get(replay, {"at": 1}))
    assert url(party) in text(client.get(replay, {"at": 1}))


def test_mistakes_are_listed_with_their_cost_and_a_link_to_their_step() -> None:
    party = rolled_party()
    client = analysed_client(party)
    job = Job.objects.get()
    report = job.report
    decision = next(one for one in report["decisions"] if one["choices"][0]["do"] == "place")
    worth = {"points": {"mean": 6.2, "within": 1.4}, "win": {"mean": 0.12, "within": 0.05}}
    other = next(n for n in range(len(decision["choices"])) if n != decision["played"])
    for one in report["decisions"]:
        one.pop("best", None)
    decision["best"] = {"choice": other, "more": worth, "times": 99, "clear": True}
    job.save()
    page = text(client.get(url(party)))
    best, done = (decision["choices"][n]["at"] for n in (other, decision["played"]))
    assert f"played: {done}. Better: {best}, about 6 points more." in page
    assert "The chance to win would have been" in page
    assert "who was a bot" not in page
    assert f"/history/?at={decision['action'] + 1}" in page
    shown = text(client.get(f"/table/{party.code}/history/", {"at": decision["action"] + 1}))
    for pictured in (page, shown):
        assert re.findall(r'class="pointer (\w+)" data-points="(\w+)"', pictured) == [
            ("played", done),
            ("better", best),
        ]
        assert f"better: {best}" in " ".join(pictured.split())
    assert shown.count("is-pointed") == 1
    Seat.objects.filter(number=decision["player"]).update(bot="greedy")
    without_bot = text(client.get(url(party)))
    assert f"played: {done}." not in without_bot
    counts = without_bot.split("Clear mistakes in all:")[1].split("</p>")[0]
    assert [name in counts for name in ("Ana", "Ben")] == [
        number != decision["player"] for number in (0, 1)
    ]
    Seat.objects.update(bot="")
    decision["best"]["clear"] = False
    job.save()
    assert "No clear mistakes" in text(client.get(url(party)))


def test_a_solo_game_has_no_winning_probability() -> None:
    party = rolled_party("Ana")
    page = text(analysed_client(party).get(url(party)))
    assert "Expected points" in page
    assert "The others’ play" not in page
    assert "The chance to win" not in page
    assert "figure-key" not in page


def test_a_cancelled_analysis_keeps_its_partial_result(monkeypatch: pytest.MonkeyPatch) -> None:
    party = rolled_party()
    client = client_of(party)
    client.post(url(party), {"do": "start"})
    client.post(url(party), {"do": "cancel"})
    assert worker.run_jobs(KINDS) == 0
    assert "was cancelled" in text(client.get(url(party)))
    client.post(url(party), {"do": "start"})
    kept: list[int] = []
    save = worker.Progress.save

    def cancel_afterwards(self: worker.Progress, **values: Any) -> None:
        save(self, **values)
        if "report" in values:
            kept.append(values["report"]["round"])
            client.post(url(party), {"do": "cancel"})

    monkeypatch.setattr(worker.Progress, "save", cancel_afterwards)
    assert worker.run_jobs(KINDS) == 1
    assert kept == [1]
    page = text(client.get(url(party)))
    assert "The biggest mistakes" in page
    assert "cancelled" not in page


def test_the_waiting_page_shows_a_better_result_at_once() -> None:
    party = rolled_party()
    client = client_of(party)
    client.post(url(party), {"do": "start"})
    waiting = client.get(url(party, "state/"), {"round": "0"})
    assert "HX-Refresh" not in waiting.headers
    job = queue.claim("worker")
    assert job
    worker.run_job(job, KINDS[job.kind])
    assert client.get(url(party, "state/"), {"round": "1"}).headers["HX-Refresh"] == "true"


def test_an_analysis_ends_early_if_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = rolled_party(), rolled_party("Cem", "Dora")
    for party in (first, second):
        client_of(party).post(url(party), {"do": "start"})
    assert worker.run_jobs(KINDS) == 2
    rounds = [job.report["round"] for job in Job.objects.order_by("pk")]
    assert rounds == [1, 2]
    pages = [text(client_of(party).get(url(party))) for party in (first, second)]
    assert ["Analyse more closely" in page for page in pages] == [True, False]
    analysed_client(first)
    assert "Analyse more closely" not in text(client_of(first).get(url(first)))


def test_a_result_stays_while_a_more_precise_one_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    party = rolled_party()
    client = analysed_client(party)
    rounds = analyser.GAMES_PER_CHOICE
    report = Job.objects.get().report
    assert report["round"] == 2
    Job.objects.update(report=report | {"rounds": 3})
    assert "Analyse more closely" in text(client.get(url(party)))
    client.post(url(party), {"do": "start"})
    page = text(client.get(url(party)))
    assert "The biggest mistakes" in page
    assert "This is a first result" in page
    assert "HX-Refresh" not in client.get(url(party, "state/"), {"round": "2"}).headers
    # A first round is less precise than the stored result, which stays even without further rounds.
    job = queue.claim("worker")
    assert job
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", rounds[:2])
    worker.run_job(job, KINDS[job.kind])
    assert Job.objects.get().report == report | {"rounds": 3}
    client.post(url(party), {"do": "start"})
    client.post(url(party), {"do": "cancel"})
    page = text(client.get(url(party)))
    assert "The biggest mistakes" in page
    assert "Analyse more closely" in page


def test_an_analysis_is_hidden_after_a_rewind() -> None:
    party = rolled_party()
    analysed_client(party)
    Job.objects.update(document={})
    page = text(client_of(party).get(url(party)))
    assert "The biggest mistakes" not in page
    assert 'value="start"' in page


def test_an_analysis_stores_no_names() -> None:
    party = rolled_party("Zoraide", "Ben")
    client = analysed_client(party)
    job = Job.objects.get()
    assert "Zoraide" not in json.dumps([job.document, job.report])
    assert "Zoraide" in text(client.get(url(party)))


@pytest.mark.parametrize(
    ("party", "sentence"),
    [
        (lambda: finished_party(), "nobody knows what they showed"),
        (lambda: sit_down(level=TINY, dice="rolled"), "once it is over"),
        (lambda: sit_down_for("major"), "not Dice²"),
    ],
    ids=["dice on the table", "goes on", "Dice²"],
)
def test_an_impossible_analysis_is_explained(party: Any, sentence: str) -> None:
    table = party()
    client = client_of(table)
    assert sentence in text(client.get(url(table)))
    assert client.post(url(table), {"do": "start"}).status_code == 400
    assert not Job.objects.exists()
    assert "What could be done" not in text(client.get(f"/table/{table.code}/history/?at=2"))


def test_results_offer_an_analysis_only_if_the_dice_are_known() -> None:
    for party, is_offered in ((rolled_party(), True), (finished_party(), False)):
        page = text(client_of(party).get(f"/table/{party.code}/"))
        assert (f'href="{url(party)}"' in page) == is_offered


def test_an_analysis_is_as_private_as_the_table() -> None:
    party = rolled_party()
    for more in ("", "state/"):
        assert Client().get(f"/table/{'x' * 14}/look/{more}").status_code == 404
        assert "no-store" in client_of(party).get(url(party, more)).headers["Cache-Control"]
    assert client_of(party).post(url(party), {"do": "nonsense"}).status_code == 400
    assert client_of(party).put(url(party)).status_code == 405


def test_too_many_analyses_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requester_limits, "MAX_WAITING", 1)
    first, second = rolled_party(), rolled_party()
    client_of(first).post(url(first), {"do": "start"})
    answer = client_of(second).post(url(second), {"do": "start"})
    assert answer.status_code == 503
    assert "Too many reports and game analyses" in text(answer)


def test_a_game_from_a_file_is_analysed() -> None:
    record = play_tiny_game(parse_level(TINY), ("Ana", "Ben"), Random(2))
    document = json.dumps(format_game(record)).encode()
    client = Client()
    file = SimpleUploadedFile("game.json", document)
    here = client.post("/table/file/", {"document": file}).headers["Location"]
    assert f"{here}look/" in text(client.get(here))
    assert client.post(f"{here}look/", {"do": "start"}).status_code == 302
    assert worker.run_jobs(KINDS) == 1
    assert "The biggest mistakes" in text(client.get(f"{here}look/"))
    assert client.get(f"{here}look/state/").headers["HX-Refresh"] == "true"
    at = Job.objects.get().report["decisions"][0]["action"] + 1
    assert "What could be done" in text(client.get(here, {"at": at}))


@pytest.mark.postgresql
def test_deleting_a_table_deletes_its_analysis() -> None:
    party = rolled_party()
    analysed_client(party)
    party.access().table.delete()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (6.2, "6 points"),
        (1.0, "1 point"),
        (1.04, "1 point"),
        (0.4, "0.4 points"),
        (2.0, "2 points"),
    ],
)
def test_points_are_rounded_for_sentences(mean: float, words: str) -> None:
    assert look_words.format_points_estimate(mean) == words


def test_amounts_have_their_sign() -> None:
    assert look_words.amount(-3.6, is_signed=True) == "\N{MINUS SIGN}4"
    assert look_words.amount(3.6, is_signed=True) == "+4"
    assert look_words.amount(0.02, is_signed=True) == "0"


def report_of(source: str, *points: tuple[float, float]) -> dict[str, Any]:
    """Return the part of an analysis with one source of points; mean and margin by player."""
    return {
        "players": [
            {"points": {source: {"mean": mean, "within": within}}} for mean, within in points
        ]
    }


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (
            [(12, 3), (4, 1), (-8, 2)],
            "(about 12 points more than usual), and Cem unlucky (about 8 points less).",
        ),
        ([(3, 4), (5, 4), (-3, 4)], "Ben was lucky with the dice: about 5 points more than usual."),
        (
            [(0, 1), (-1, 0.5), (-2.6, 1)],
            "Cem was unlucky with the dice: about 3 points less than usual.",
        ),
        ([(3, 4), (-3, 4), (0.4, 0.1)], "Nobody was clearly lucky or unlucky with the dice."),
    ],
)
def test_a_sentence_says_which_player_had_luck(
    points: list[tuple[float, float]], sentence: str
) -> None:
    said = look_words.luck_sentence(report_of("luck", *points), ("Ana", "Ben", "Cem"))
    assert said.endswith(sentence)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (
            [(5, 3), (-7, 1)],
            "Ana brought about 5 points more, and those of Ben about 7 points less.",
        ),
        ([(5, 3), (7, 1)], "Ben brought about 7 points more than those of a simple bot."),
        ([(-5, 3)], "Ana brought about 5 points less than those of a simple bot."),
        ([(1, 3)], "The choices were about as good as those of a simple bot."),
    ],
)
def test_a_sentence_says_which_player_chose_well(
    points: list[tuple[float, float]], sentence: str
) -> None:
    said = look_words.play_sentence(report_of("play", *points), ("Ana", "Ben"))
    assert said.endswith(sentence)


def worth(points: float, win: float, within: float) -> dict[str, Any]:
    return {
        "points": {"mean": points, "within": within},
        "win": {"mean": win, "within": within / 10},
    }


@pytest.mark.parametrize(
    ("played", "better", "pointers"),
    [
        ({"do": "return", "at": "c1"}, {"do": "return", "at": "a1"}, ["played c1", "better a1"]),
        ({"do": "lava", "at": "a1"}, {"do": "lava", "at": "c1"}, ["played a1", "better c1"]),
        ({"do": "rocket", "at": "a1"}, {"do": "rocket", "at": "c1"}, ["played a1", "better c1"]),
        (
            {"do": "track", "at": "a1", "shape": "EW"},
            {"do": "track", "at": "a1", "shape": "NS"},
            ["played a1", "better a1"],
        ),
        ({"do": "drop"}, {"do": "reroll"}, []),
    ],
    ids=lambda choice: choice["do"] if isinstance(choice, dict) else "",
)
def test_a_sheet_marks_the_fields_of_a_choice(
    played: dict[str, str], better: dict[str, str], pointers: list[str]
) -> None:
    choices = [one | {**worth(1, 0.5, 1), "more": worth(0, 0, 1)} for one in (played, better)]
    best = {"choice": 1, "more": worth(5, 0.3, 4), "clear": True}
    decision = {"action": 3, "player": 0, "played": 0, "choices": choices, "best": best}
    step = look_words.decision_step({"decisions": [decision]}, 4, parse_level(TINY))
    assert step
    found = [named.pointer for named in step.pointers]
    assert [f"{pointer.kind} {pointer.at}" for pointer in found] == pointers
    best["clear"] = False
    unclear = look_words.decision_step({"decisions": [decision]}, 4, parse_level(TINY))
    assert unclear
    assert unclear.pointers == ()


def test_replay_and_summary_agree_on_the_value_of_a_better_choice() -> None:
    best = {"choice": 1, "more": worth(5, 0.3, 4), "clear": True}
    decision = {
        "action": 3,
        "player": 0,
        "played": 0,
        "choices": [
            {"do": "place", "at": "c4", **worth(10, 0.8, 3), "more": worth(0, 0, 0)},
            {"do": "place", "at": "e5", **worth(19, 0.95, 3), "more": worth(9, 0.15, 4)},
        ],
        "best": best,
    }
    report = {"course": [{"after": 0}], "decisions": [decision]}
    level = parse_level(TINY)
    [mistake] = look_words.find_mistakes(report, level)
    assert "played: c4. Better: e5, about 5 points more." in mistake.sentence
    assert "100% instead of 80%" in mistake.chance
    step = look_words.decision_step(report, 4, level)
    assert step
    assert step.verdict.startswith("Better: e5, about 5 points more (give or take ")
    [better] = [option for option in step.options if option.is_best]
    assert better.more == ("+5", "±\N{NO-BREAK SPACE}4")
    assert better.points == ("15", "±\N{NO-BREAK SPACE}5")
    assert better.win == ("100%", "±\N{NO-BREAK SPACE}50%")
