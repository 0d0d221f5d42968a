"""Result page of a scoring, with its pictures and exports."""

import csv
import io
import json
import re

import pytest
from django.test import Client

from sheets.models import Scoring
from sheets.rules import parse_level
from sheets.scoring import store
from sheets.scoring.sentences import GRADES
from tests.page_text import unmarked
from tests.score_levels import GARDEN, RAILS, VOLCANO
from tests.scoring.scoring_pages import (
    BY_HTMX,
    begin,
    details,
    ranking,
    revision,
    share_url,
    state,
    tap,
    totals,
    upload,
)

pytestmark = pytest.mark.django_db


def test_totals_are_right(client: Client) -> None:
    url = begin(client, GARDEN)
    # Ana: gems b1, a4: 2 x 2; row 2 (a2 b2 c2 d2): 5; column a (a1 printed, a2 a3 a4): 7;
    # puzzle a3 + c3: 10; area c2 d2: 6; race a4 b4, the only one: 8; flag alone: 10;
    # heap d2: -3; bomb c1 exploded: -2.  4 + 5 + 7 + 10 + 6 + 8 + 10 - 3 - 2 = 45
    tap(client, url, "b1", "a4", "a2", "b2", "c2", "d2", "a3", "c3", "b4", "d1", "c1", "c1")
    # Ben: gem b1: 2; bomb c1 crossed: 0.
    tap(client, url, "b1", "c1", number=2)
    assert totals(client, url) == [45, 2]
    assert "Ana wins." in unmarked(client.get(url))
    assert totals(client, share_url(client, url)) == [45, 2]


def test_fewer_crosses_decide_a_tie(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    tap(client, url, "b1", "c2", number=2)
    page = unmarked(client.get(url))
    assert "Ana wins the tie with fewer crosses." in page
    tap(client, url, "a3")
    assert "Ana and Ben share the win" in unmarked(client.get(url))


def test_ranking_puts_the_winner_first_and_shares_places(client: Client) -> None:
    people = ({"player": name} for name in ("Ana", "Ben", "Cem", "Dora"))
    url = begin(client, GARDEN, *people)
    tap(client, url, "c2", number=1)
    tap(client, url, "b1", number=3)
    tap(client, url, "c2", number=4)
    client.post(f"{url}2/blank/")
    assert ranking(client.get(url).text) == ["1. Cem Winner 2", "2. Ben 0", "3. Ana 0 Dora 0"]
    tap(client, url, "c2", number=3)
    tap(client, url, "b1", number=4)
    assert ranking(client.get(url).text)[0] == "1. Cem Winner 2 Dora Winner 2"


def test_podium_has_three_places_and_a_list_below(client: Client) -> None:
    url = begin(client, GARDEN, *({"player": name} for name in ("Ana", "Ben", "Cem", "Dora")))
    assert 'class="podium"' not in client.get(url).text
    for number, fields in enumerate(("c2", "b1 a4", "b1", "b1 c2"), start=1):
        tap(client, url, *fields.split(), number=number)
    page = client.get(url).text
    assert ranking(page) == ["1. Ben Winner 4", "2. Cem 2", "3. Dora 2", "4. Ana 0"]
    podium, below = (page.index(f'<ol class="{name}"') for name in ("podium", "ranking"))
    assert podium < page.index(">Dora<") < below < page.index(">Ana<")
    alone = begin(client, GARDEN, {"player": "Ana"})
    tap(client, alone, "b1")
    assert ranking(client.get(alone).text) == []


@pytest.mark.parametrize(
    ("taps", "said"),
    [
        (("b1 a2 b2 c2 d2", "c2"), "10 points, 10 ahead of Ben. Areas made the difference."),
        (("b1 a4", "b1"), "4 points, 2 ahead of Ben. Gems made the difference."),
        (("c2", "d2"), "0 points, 3 ahead of Ben. Heaps made the difference."),
        # A gem and an exploded bomb: both 2 points.
        (("b1", "c1 c1"), "2 points, 4 ahead of Ben."),
        (("b1", "b1 c2"), "2 points, as many as Ben."),
        (("b1", "b1"), "2 points each."),
        (("b1 a4", "b1", "b1"), "4 points, 2 ahead of Ben and Cem."),
        (("b1 a4", "b1", "c2"), "4 points, 2 ahead of Ben. Gems made the difference."),
        (
            ("b1 a4", "b1", "b1 c2"),
            "4 points, 2 ahead of Ben. Gems made the difference. "
            "With equal points, fewer crosses come first.",
        ),
        (("b1 a4",), "4 points"),
        (("b1", ""), ""),
    ],
    ids=[
        *("several-leads", "one-lead", "costs", "equal-leads", "fewer-crosses", "shared-win"),
        *("shared-second", "three-players", "second-by-crosses", "one-player", "unfinished"),
    ],
)
def test_line_below_the_winner_has_margin_and_reason(
    client: Client, taps: tuple[str, ...], said: str
) -> None:
    names = ("Ana", "Ben", "Cem")[: len(taps)]
    url = begin(client, GARDEN, *({"player": name} for name in names))
    for number, fields in enumerate(taps, start=1):
        tap(client, url, *fields.split(), number=number)
    assert details(unmarked(client.get(url))) == said


def test_there_is_no_winner_before_each_player_has_a_mark(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana"}, {"player": "Ben"}, {"player": "Cem"})
    page = unmarked(client.get(url))
    assert "Nothing counted yet." in page
    assert "winner" not in page
    tap(client, url, "b1")
    for number, name in ((2, "Ben"), (3, "Cem")):
        page = unmarked(client.get(url))
        assert f"{name} is still to come" in page
        assert "Nothing counted yet." not in page
        assert "wins" not in page
        assert "winner" not in page
        assert not re.search(r"\d\. ", " ".join(ranking(unmarked(client.get(url)))))
        # A dash instead of 0 for their totals.
        totals = page[page.index("<tfoot>") : page.index("</tfoot>")]
        assert totals.count("–") == 4 - number
        tap(client, url, "c2", number=number)
    page = unmarked(client.get(url))
    assert "Ana wins." in page
    assert "still to come" not in page
    assert "–" not in page[page.index("<tfoot>") : page.index("</tfoot>")]


def test_title_names_the_winner_or_the_grade(client: Client) -> None:
    def title(url: str) -> str:
        found = re.search(r"<title>(.*?)</title>", client.get(url).content.decode())
        assert found
        return found[1]

    url = begin(client, GARDEN)
    tap(client, url, "b1")
    assert title(url) == "Results · Garden · Dizzle Companion"
    tap(client, url, "c2", number=2)
    assert title(url) == "Ana wins · Garden · Dizzle Companion"
    alone = begin(client, {**GARDEN, "ratings": [1, 2, 3, 4, 50, 60]}, {"player": "Ana"})
    tap(client, alone, "b1", "c1")
    assert title(alone) == f"{GRADES[4].title} · Garden · Dizzle Companion"


def test_a_player_can_have_crossed_nothing(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    shared = share_url(client, url)
    assert "Nothing is crossed there" not in unmarked(client.get(shared))
    assert client.post(f"{shared}2/blank/").status_code == 403
    before = revision(client, url)
    assert client.post(f"{url}2/blank/").headers["Location"] == url
    assert revision(client, url) != before
    assert "Ana wins." in unmarked(client.get(url))
    assert client.get(f"{url}2/blank/").headers["Location"] == f"{url}2/"
    assert client.post(f"{url}7/blank/").status_code == 409


def test_grade_waits_for_the_first_mark(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana"})
    for path in ("", "1/"):
        assert 'class="grade"' not in client.get(url + path).content.decode()
    tap(client, url, "b1")
    for path in ("", "1/"):
        assert 'class="grade"' in client.get(url + path).content.decode()


def test_main_button_leads_to_the_next_sheet_or_the_results(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana"}, {"player": "Ben"})

    def primary(path: str) -> tuple[str, str]:
        page = client.get(path).content.decode()
        ((href, words),) = re.findall(
            r'<a class="button primary" href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL
        )
        return href, " ".join(re.sub(r"<[^>]*>", "", words).split())

    assert primary(f"{url}1/") == (f"{url}2/", "Next: Ben")
    assert primary(f"{url}2/") == (url, "Results")
    shared = share_url(client, url)
    assert primary(f"{shared}1/") == (f"{shared}2/", "Next: Ben")
    assert f'href="{url}">Results</a>' in client.get(f"{url}1/").content.decode()


def test_amounts_link_to_their_fields(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "a2", "b2", "c2", "d2")
    tap(client, url, "b1", number=2)
    page = client.get(url).content.decode()
    (path,) = re.findall(r'href="(/score/[^"]+/1/\?light=lines)#sheet"', page)
    sheet = client.get(path).content.decode()
    for name in ("a2", "b2", "c2", "d2"):
        assert re.search(rf'class="art-field[^"]* lit" data-field="{name}"', sheet), name
    # Column a is not complete and pays nothing.
    assert not re.search(r'(lit|missing)" data-field="a3"', sheet)


def test_next_scoring_has_the_same_players_and_level(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana", "crosses": ["b1"]}, {"player": "Ben"})
    assert client.post(f"{share_url(client, url)}again/").status_code == 403
    again = client.post(f"{url}again/").headers["Location"]
    assert again != f"{url}1/"
    page = client.get(again).content.decode()
    assert "Ana" in page
    assert "Ben" in page
    assert state(client, again.removesuffix("1/"))["marks"] == {}
    assert state(client, url)["marks"] == {"b1": "cross"}


def test_result_picture_shows_all_players(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    assert "data-share-picture" not in client.get(url).content.decode()
    tap(client, url, "c2", number=2)
    page = client.get(url).content.decode()
    (path,) = re.findall(r'href="([^"]+)" download data-share-picture', page)
    before = client.get(path)
    assert before.headers["Content-Type"] == "image/png"
    assert before.content.startswith(b"\x89PNG")
    tap(client, url, "b1", number=2)
    assert client.get(path).content != before.content


def test_there_is_no_winner_while_a_number_is_missing(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "d1", "b1")
    tap(client, url, "d1", number=2)
    client.post(f"{url}1/mark/", {"at": "flag red", "value": "10"})
    page = unmarked(client.get(url))
    assert "nobody has won yet" in page
    assert re.search(rf'class="owing" href="{url}2/">\s*Ben', page)
    assert not re.search(rf'class="owing" href="{url}1/"', page)
    assert "wins" not in page
    assert "winner" not in page
    assert ranking(unmarked(client.get(url))) == ["Ana 12", "Ben ? A circled number is missing 0"]
    client.post(f"{url}2/mark/", {"at": "flag red", "value": "6"})
    page = unmarked(client.get(url))
    assert "Ana wins." in page
    assert "nobody has won yet" not in page


def test_first_warning_is_open_and_the_rest_folded(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b2")
    for path in ("", "1/"):
        page = client.get(url + path).content.decode()
        part = page[page.index('class="doubts"') :]
        openly, folded = part.split("<details>")[:2]
        assert "b2" in openly
        assert "1 more" in folded.split("</summary>")[0]
        assert "<li>" in folded
    tap(client, url, "b2", "c2")
    page = client.get(url).content.decode()
    assert "c2" in page[page.index('class="doubts"') :]
    assert "<details>" not in page


def test_rails_score_routes_loops_and_stops(client: Client) -> None:
    url = begin(client, RAILS, {"player": "Ana"})
    # a1 (printed), b1, b2, a2 are a ring of 4, the longest: 3 each; the stop on a2: 4; c3: 1.
    for at, shape in (("b1", "SW"), ("b2", "NW"), ("a2", "NE"), ("c3", "EW")):
        tap(client, url, at, value=shape)
    assert totals(client, url) == [17]


def test_lava_spoils_and_exploded_bombs_cost_under_it_too(client: Client) -> None:
    url = begin(client, VOLCANO)
    tap(client, url, "b2", "b2", pen="lava")
    assert totals(client, url) == [-2]  # the other sheet is still empty


def test_solo_has_a_grade_and_pays_for_bombs(client: Client) -> None:
    url = begin(client, {**GARDEN, "ratings": [1, 2, 3, 4, 50, 60]}, {"player": "Ana"})
    tap(client, url, "b1", "c1")
    page = client.get(url).content.decode()
    assert totals(client, url) == [4]
    assert str(GRADES[4].title) in page
    client.post(f"{url}solo/", {"solo": "no"})
    assert totals(client, url) == [2]
    assert str(GRADES[4].title) not in client.get(url).content.decode()
    assert client.post(f"{url}solo/", {"solo": "maybe"}).status_code == 400


def test_seven_grades_have_seven_titles() -> None:
    assert len({str(grade.title) for grade in GRADES}) == len(GRADES) == 7


def test_impossible_sheet_is_reported_and_still_scores(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b2")
    page = client.get(url).content.decode()
    assert "b2 is a lock" in page
    assert "It still counts." in page


def test_bomb_that_must_have_exploded_is_marked_in_one_tap(client: Client) -> None:
    url = begin(client, GARDEN)
    assert "A second tap on a bomb explodes it." in client.get(f"{url}1/").content.decode()
    tap(client, url, "c1")
    for path in ("2/", ""):
        assert "so here it must have exploded" in client.get(url + path).content.decode()
    shared = share_url(client, url)
    assert 'class="settle"' not in client.get(f"{shared}2/").content.decode()
    assert client.post(f"{shared}2/settle/", {"mark": "c1=exploded"}).status_code == 403
    page = client.get(f"{url}2/").content.decode()
    (form,) = re.findall(r'<form class="settle".*?</form>', page, re.DOTALL)
    (action,) = re.findall(r'action="([^"]+)"', form)
    answer = client.post(action, {"mark": re.findall(r'name="mark" value="([^"]+)"', form)})
    assert answer.headers["Location"] == f"{url}2/#sheet"
    assert state(client, url, 2)["marks"] == {"c1": "exploded"}
    assert "must have exploded" not in client.get(url).content.decode()
    for marks in ([], ["c1"], ["c1=NS"], ["z9=cross"], ["b1=cross"] * 101):
        expected = 302 if marks == ["c1"] else 400  # an empty value removes the mark
        assert client.post(action, {"mark": marks}).status_code == expected, marks


def test_export_and_import_of_a_document_lose_nothing(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "c1", "c1", "d1")
    client.post(f"{url}1/mark/", {"at": "flag red", "value": "6"})
    response = client.get(f"{url}sheets.json")
    assert "attachment" in response.headers["Content-Disposition"]
    document = response.json()
    assert document["sheets"][0]["crosses"] == ["b1", "d1"]
    assert document["sheets"][0]["exploded"] == ["c1"]
    again = upload(client, response.content).headers["Location"]
    assert client.get(f"{again}sheets.json").json() == document
    assert totals(client, again) == totals(client, url)


def test_document_names_a_shipped_level_by_its_id(client: Client) -> None:
    url = client.post("/score/new/level-2/", {"count": 1}).headers["Location"]
    assert client.get(f"{url}../sheets.json".replace("1/../", "")).json()["level"] == "level-2"


def test_old_scoring_keeps_the_level_it_began_with(client: Client) -> None:
    key = store.create(parse_level(GARDEN), ["Ana", "Ben"])
    changed = {**GARDEN, "points": {**GARDEN["points"], "gem": {"yellow": 9}}}
    store.create(parse_level(changed), ["Cem"])
    tap(client, f"/score/{key}/", "b1")
    assert state(client, f"/score/{key}/")["total"] == 2


def test_scores_are_a_table_for_spreadsheets(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "=1+1"}, {"player": "Ben"})
    tap(client, url, "b1")
    text = client.get(f"{url}scores.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][0] == "Player"
    assert rows[1][0] == "'=1+1"
    assert rows[1][-2:] == ["2", "2"]
    assert rows[2] == ["Ben", *["0"] * 7, "0", "1"]


@pytest.mark.parametrize("level", [GARDEN, VOLCANO, RAILS], ids=lambda level: level["id"])
def test_picture_is_a_png(client: Client, level: dict[str, object]) -> None:
    url = begin(client, level)
    tap(
        client, url, "c3" if level is RAILS else "b1", **({"value": "NS"} if level is RAILS else {})
    )
    response = client.get(f"{url}1/sheet.png")
    assert response.headers["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    assert client.get(f"{url}9/sheet.png").status_code == 404


def test_picture_is_drawn_once_until_something_changes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    def draw(*given: object) -> bytes:
        drawn.append(given)
        return b"picture %d" % len(drawn)

    monkeypatch.setattr("sheets.http.render_tasks.scored_picture", draw)
    url = begin(client, GARDEN)
    first = client.get(f"{url}1/sheet.png").content
    assert client.get(f"{share_url(client, url)}1/sheet.png").content == first
    assert len(drawn) == 1
    tap(client, url, "b1")
    assert client.get(f"{url}1/sheet.png").content != first
    assert client.get(f"{url}2/sheet.png").status_code == 200
    assert client.get(f"{url}1/sheet.png", headers={"accept-language": "de"}).status_code == 200
    assert len(drawn) == 4


def test_page_gets_its_new_part_after_each_change_and_only_then(client: Client) -> None:
    url = begin(client, GARDEN)
    shared = share_url(client, url)
    before = revision(client, shared)
    assert revision(client, url) == before
    for path in (url, shared):
        unchanged = client.get(f"{path}news/?revision={before}", headers=BY_HTMX)
        assert (unchanged.status_code, unchanged.content) == (204, b"")
    tap(client, url, "b1")
    assert revision(client, url) > before
    for path in (url, shared):
        part = client.get(f"{path}news/?revision={before}", headers=BY_HTMX).content.decode()
        title = re.match("<title>(.+)</title>", part)
        page = client.get(path).content.decode()
        assert title
        assert f"<title>{title[1]}</title>" in page
        csrf = re.compile('name="csrfmiddlewaretoken" value="[^"]+"')
        assert csrf.sub("", part[title.end() :].strip()) in csrf.sub("", page)


@pytest.mark.parametrize("path", ["", "news/", "sheets.json", "scores.csv", "1/sheet.png"])
def test_result_pages_refuse_post(client: Client, path: str) -> None:
    assert client.post(begin(client, GARDEN) + path).status_code == 405


def test_database_stores_no_key(client: Client) -> None:
    url = begin(client, GARDEN)
    key, shared = url.split("/")[2], share_url(client, url).split("/")[2]
    stored = json.dumps(list(Scoring.objects.values()), default=str)
    assert key not in stored
    assert shared not in stored
    assert len(key) == 32
