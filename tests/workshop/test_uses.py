"""Uses of a finished own level: files, score sheets, print and copies."""

from __future__ import annotations

import io
import re

import pypdf
import pytest
from django.test import Client

from sheets.models import Scoring
from sheets.workshop import store

LEVEL = {
    "format": "dizzle-level/1",
    "id": "own-00c0ffee",
    "name": {"de": "Bäumchen № 1", "en": "Little tree"},
    "grid": ["3x 5 1", "2  4 6"],
    "dice": {"5": 16, "6": 19},
    "rounds": {"3": 2, "4": 2, "5": 2, "6": 2},
}
GERMAN = {"accept-language": "de"}

pytestmark = pytest.mark.django_db


def made(**more: object) -> str:
    return f"/workshop/{store.create(LEVEL | more)}/"


@pytest.mark.parametrize(("path", "ending"), [("sheet.pdf", "pdf"), ("sheet.png", "png"),
                                              ("level.json", "json")])  # fmt: skip
def test_files_are_named_after_their_level(client: Client, path: str, ending: str) -> None:
    url = made()
    english = client.get(f"{url}{path}", headers={"accept-language": "en"})
    german = client.get(f"{url}{path}", headers=GERMAN)
    name = f'attachment; filename="dizzle-little-tree.{ending}"'
    assert english.headers["Content-Disposition"] == name
    name = f"attachment; filename*=utf-8''dizzle-b%C3%A4umchen-no-1.{ending}"
    assert german.headers["Content-Disposition"] == name


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("木", "*=utf-8''dizzle-%E6%9C%A8.json"),
        ("!", '="dizzle-own-00c0ffee.json"'),
        ('"; x=\n/../', '="dizzle-x.json"'),
        ("a" * 500, f'="dizzle-{"a" * 60}.json"'),
    ],
    ids=["letters", "no-letters", "markup", "long"],
)
def test_any_name_makes_a_valid_file_name(client: Client, name: str, file: str) -> None:
    found = client.get(f"{made(name=name)}level.json").headers["Content-Disposition"]
    assert found == f"attachment; filename{file}"
    assert found.isascii()
    assert len(found) < 300


def test_score_page_says_which_level_and_offers_its_numbers_of_players(client: Client) -> None:
    url = made()
    page = client.get(f"{url}score/", headers=GERMAN).content.decode()
    assert "Papierblätter von „Bäumchen № 1“" in page
    assert [f'name="count" value="{count}"' in page for count in range(1, 7)] == [True] * 6
    few = made(dice={}, rounds={"2": 3})
    page = client.get(f"{few}score/").content.decode()
    assert [f'name="count" value="{count}"' in page for count in (4, 5, 6)] == [True, False, False]
    assert 'name="name-5"' not in page
    assert client.post(f"{few}score/", {"count": 5}).status_code == 400
    assert not Scoring.objects.exists()
    assert client.post(f"{few}score/", {"count": 4}).status_code == 302


def test_first_number_of_players_is_chosen_where_two_cannot_play(client: Client) -> None:
    counts = {"dice": {"5": 16}, "rounds": {"5": 2}}
    level = made(**counts)
    page = " ".join(client.get(f"{level}score/").content.decode().split())
    assert page.count(" checked") == 1
    assert 'value="2" required checked' in page


def test_print_page_of_one_level_has_no_options_for_several(client: Client) -> None:
    page = client.get(f"{made()}print/").content.decode()
    assert 'name="duplex"' not in page
    assert "two games" not in page
    assert "one more page at the end" in page
    page = client.get("/print/").content.decode()
    assert 'name="duplex"' in page
    assert "for each of the two games" in page


@pytest.mark.parametrize(
    ("query", "count"), [("", 1), ("paper=a5&lang=de&rules=on", 2), ("paper=a5&copies=9", 1)]
)
def test_preview_shows_every_page_of_the_print(client: Client, query: str, count: int) -> None:
    url = made()
    shared = f"/workshop/{store.find(url.split('/')[2]).share_key}/"
    for link in (url, shared):
        page = client.get(f"{link}print/?{query}").content.decode()
        found = re.findall(rf'<img src="({link}page-[^"]+)" width="\d+" height="\d+"', page)
        assert len(found) == count
        drawings = [client.get(address.replace("&amp;", "&")) for address in found]
        assert len({drawing.content for drawing in drawings}) == count
        for drawing in drawings:
            assert drawing.headers["Content-Type"] == "image/svg+xml"
            assert drawing.headers["Cache-Control"] == "private, no-cache"
            assert "noindex" in drawing.headers["X-Robots-Tag"]
        file = re.search(rf'href="({link}sheet.pdf[^"]*)"', page)
        assert file
        printed = pypdf.PdfReader(io.BytesIO(client.get(file[1].replace("&amp;", "&")).content))
        assert len(printed.pages) == (9 if "copies=9" in query else count)


@pytest.mark.parametrize("page", ["page-0.svg", "page-2.svg", "page-25.svg", "page-1.svg?paper=a3"])
def test_missing_page_of_the_print_is_not_found(client: Client, page: str) -> None:
    assert client.get(f"{made()}{page}").status_code == 404
