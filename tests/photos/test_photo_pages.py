"""Photo pages without script: upload, review, transfer to a scoring, and stored pictures."""

from __future__ import annotations

import base64
import io
import itertools
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import html5lib
import numpy as np
import pypdfium2 as pdfium
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.test import Client
from PIL import Image

from sheets.http import process_pool
from sheets.levels import shipped_levels
from sheets.models import GroupGame, Mark, Scoring, SheetPicture
from sheets.photos.page_context import PhotoPageContext
from sheets.photos.presentation import show_sheets
from sheets.photos.read_files import ReadPhoto
from sheets.photos.worker.messages import MAX_PICTURE_BYTES, Place, SheetResult
from sheets.scoring import store
from sheets.workshop import store as workshop_store
from tests.page_text import unmarked
from tests.photos.photo_forms import fields, send, true_marks
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, state, totals, upload
from tests.vision.shots import cover_code, cover_markers, noise_on_cloth, take, to_jpeg

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("photos_read_once")]

PAGE = "/score/photos/"
"""Page of photos that begin a scoring."""

BOMBS = ("b9", "g9")
"""Fields of level 1 with a bomb."""

NUMBERS = itertools.count(1)
"""Counter for unique ids of acts."""


def marks_of(url: str) -> list[dict[str, str]]:
    """Return the stored marks of all sheets in their order."""
    sheets = store.read_sheets(store.find(url.split("/")[2]).resource)
    return [sheet.marks for sheet in sheets.values()]


def test_two_sheets_in_one_photo_become_a_scoring(client: Client) -> None:
    photo = take("level-3", "level-3", seed=4)
    page = send(client, photo.jpeg)
    assert page.status_code == 200
    assert not Mark.objects.exists()  # nothing is stored yet
    form = fields(page) | {"name-1": "Ana", "name-2": "Ömer"}
    answer = client.post(f"{PAGE}take/", form)
    assert answer.status_code == 302, answer.content.decode()
    url = answer.headers["Location"]
    assert marks_of(url) == [true_marks(photo.truths[0]), true_marks(photo.truths[1])]
    results = client.get(url).content.decode()
    assert "Ana" in results
    assert "Ömer" in results
    assert len(totals(client, url)) == 2


@pytest.mark.slow
def test_without_a_named_level_the_print_replaces_a_covered_code(
    client: Client,
) -> None:
    taken = take("level-4", paper="a5", seed=3)
    form = fields(send(client, to_jpeg(cover_code(taken.jpeg))))
    url = client.post(f"{PAGE}take/", form).headers["Location"]
    assert marks_of(url) == [true_marks(taken.truths[0])]


def test_sheets_from_photos_can_be_undone_and_redone(client: Client) -> None:
    form = fields(send(client, take("level-1", seed=5).jpeg))
    url = client.post(f"{PAGE}take/", form).headers["Location"]
    (marks,) = marks_of(url)
    assert marks
    client.post(f"{url}1/undo/", {"do": "undo"})
    assert marks_of(url) == [{}]
    client.post(f"{url}1/undo/", {"do": "redo"})
    assert marks_of(url) == [marks]


def test_a_photo_fills_the_sheets_of_an_open_scoring(client: Client) -> None:
    photo = take("level-3", "level-3", seed=4)
    url = begin(client, "level-3", {"player": "Ana", "crosses": ["d2"]}, {"player": "Ben"})
    form = fields(send(client, photo.jpeg, to=f"{url}photos/"))
    assert (form["who-1"], form["who-2"]) == ("", "")  # the players are unknown
    answer = client.post(f"{url}photos/take/", form)
    assert answer.status_code == 409
    assert "Choose first whose sheet each of these is." in answer.content.decode()
    form |= {"who-1": "2", "who-2": "1"}
    assert client.post(f"{url}photos/take/", form).headers["Location"] == url
    assert marks_of(url) == [true_marks(photo.truths[1]), true_marks(photo.truths[0])]
    client.post(f"{url}1/undo/", {"do": "undo"})
    assert marks_of(url)[0] == {"d2": "cross"}


def test_a_new_player_gets_a_sheet(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana", "crosses": ["d2"]})
    form = fields(send(client, take("level-3", seed=6).jpeg, to=f"{url}photos/"))
    form["who-1"] = "0"
    client.post(f"{url}photos/take/", form)
    before, added = marks_of(url)
    assert before == {"d2": "cross"}
    assert added


@pytest.mark.postgresql
def test_a_repeated_form_adds_one_sheet(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    sent = one_sheet(**{"who-1": "0", "request": "abcdefgh-1"})
    for _ in range(2):
        assert client.post(f"{url}photos/take/", sent).headers["Location"] == url
    assert marks_of(url) == [{}, {}, {"d2": "cross"}]


def test_more_photos_than_sheets_of_a_game_are_refused(client: Client) -> None:
    photos = [SimpleUploadedFile(f"{number}.jpg", b"?") for number in range(7)]
    assert client.post(f"{PAGE}read/", {"photo": photos[:6]}).status_code == 200
    photos = [SimpleUploadedFile(f"{number}.jpg", b"?") for number in range(7)]
    assert client.post(f"{PAGE}read/", {"photo": photos}).status_code == 400


def test_photos_begin_a_scoring_for_the_chosen_group(client: Client) -> None:
    group = client.post("/groups/new/", {"name": "Family"}).headers["Location"]
    assert client.get(group).status_code == 200
    key = group.split("/")[2]
    assert f'<option value="{key}" selected>Family' in unmarked(client.get(PAGE))
    sent = one_sheet(**{"who-1": "0", "request": "abcdefgh-1", "group": key})
    for _ in range(2):
        url = client.post(f"{PAGE}take/", sent).headers["Location"]
    assert GroupGame.objects.get().scoring == store.find(url.split("/")[2]).resource
    # Sheets that are added to a scoring belong to its group.
    assert '<select name="group"' not in client.get(f"{url}photos/").content.decode()


def test_a_repeated_form_begins_one_scoring(client: Client) -> None:
    sent = one_sheet(**{"who-1": "0", "request": "abcdefgh-1"})
    first, again = (client.post(f"{PAGE}take/", sent).headers["Location"] for _ in range(2))
    assert again == first
    assert Scoring.objects.count() == 1
    assert marks_of(first) == [{"d2": "cross"}]
    for other in ({"marks-1": '{"e2": "cross"}'}, {"request": "abcdefgh-2"}, {"request": ""}):
        assert client.post(f"{PAGE}take/", sent | other).headers["Location"] != first
    assert Scoring.objects.count() == 4


def test_an_unread_sheet_is_shown_and_only_the_user_leaves_it_out(client: Client) -> None:
    photo = take("level-3", "level-3", seed=4)
    page = send(client, to_jpeg(cover_markers(photo.jpeg, place=1)))
    form = fields(page)
    assert (form["sheet"], form["unread"]) == (["1"], "2")
    root = html5lib.parse(page.content.decode(), namespaceHTMLElements=False)
    (card,) = (one for one in root.iter("section") if one.get("id") == "unread-2")
    picture = card.find("img").get("src").partition(",")[2]
    thumbnail = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))), int)
    is_line = (thumbnail[..., 0] > 190) & (thumbnail[..., 2] < 70)
    assert is_line.sum() > 50
    answer = client.post(f"{PAGE}take/", form)
    assert answer.status_code == 409
    assert "1 sheet was not read." in answer.content.decode()
    assert not Scoring.objects.exists()
    url = client.post(f"{PAGE}take/", form | {"out-2": "on"}).headers["Location"]
    assert marks_of(url) == [true_marks(photo.truths[0])]


def test_the_first_page_links_to_the_page_for_owners_of_a_pad(client: Client) -> None:
    page = html5lib.parse(client.get(PAGE).content.decode(), namespaceHTMLElements=False)
    (link,) = (one for one in page.iter("a") if one.get("href") == "/workshop/own/")
    assert "".join(link.itertext()) == "A bought pad? Photograph an empty sheet first"


def test_each_read_photo_has_its_own_idempotency_key(client: Client) -> None:
    photo = take("level-3", seed=6).jpeg
    open_one = f"{begin(client, 'level-3', {'player': 'Ana'})}photos/"
    names = {fields(send(client, photo, to=page))["request"] for page in (PAGE, PAGE, open_one)}
    assert len(names) == 3


def test_a_workshop_level_links_to_its_photo_page(client: Client) -> None:
    key = workshop_store.create(GARDEN)
    page = client.get(f"/workshop/{key}/score/").content.decode()
    assert f"/workshop/{key}/photos/" in page
    assert client.get(f"/workshop/{key}/photos/").status_code == 200


def test_a_pad_without_an_empty_sheet_reads_no_photos(client: Client) -> None:
    key = workshop_store.create(GARDEN, is_bought=True)
    assert f'/workshop/{key}/photos/"' not in client.get(f"/workshop/{key}/score/").content.decode()
    answer = client.get(f"/workshop/{key}/photos/")
    assert answer.headers["Location"] == f"/workshop/{key}/score/"
    url = (
        client.post(f"/workshop/{key}/score/", {"count": 1}).headers["Location"].removesuffix("1/")
    )
    for act in ("", "read/", "sum/", "take/"):
        post = client.post if act else client.get
        assert post(f"{url}photos/{act}", one_sheet()).headers["Location"] == url
    assert not Mark.objects.exists()


def test_an_answer_overrides_the_reading(client: Client) -> None:
    form = fields(send(client, take("level-1", seed=5).jpeg))
    at = next(iter(json.loads(form["marks-1"])))
    url = client.post(f"{PAGE}take/", form | {f"at-1-{at}": ""}).headers["Location"]
    assert at not in marks_of(url)[0]


def test_points_are_added_up_before_anything_is_stored(client: Client) -> None:
    form = fields(send(client, take("level-3", "level-3", seed=4).jpeg))
    summed = client.post(f"{PAGE}sum/", form).json()
    assert not Scoring.objects.exists()
    url = client.post(f"{PAGE}take/", form).headers["Location"]
    assert list(summed["totals"].values()) == totals(client, url)


def test_points_are_those_of_the_game_that_is_scored(client: Client) -> None:
    """A crossed bomb pays only in a solo game; here both bombs are crossed."""
    form = {
        "sheet": ["1"],
        "level-1": "level-1",
        "marks-1": json.dumps(dict.fromkeys(BOMBS, "cross")),
    }
    alone = client.post(f"{PAGE}sum/", form).json()["totals"]["1"]
    together = begin(client, "level-1", {"player": "Ana"}, {"player": "Ben"})
    form["who-1"] = "1"
    with_others = client.post(f"{together}photos/sum/", form).json()["totals"]["1"]
    solo = begin(client, "level-1", {"player": "Ana"}, solo=True)
    assert client.post(f"{solo}photos/sum/", form).json()["totals"]["1"] == alone
    assert alone - with_others == 2 * len(BOMBS)


def test_a_read_only_link_accepts_no_photos(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    share = store.find(url.split("/")[2]).share_key
    assert client.get(f"/score/{share}/photos/").status_code == 403


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"out-1": "on", "out-2": "on"}, "There is no sheet to score"),
        ({"level-2": "level-1", "marks-2": "{}"}, "of different levels"),
        ({"name-1": "x" * 41}, "A name has at most 40 letters"),
    ],
)
def test_sheets_that_cannot_be_taken_over_get_a_reason(
    client: Client, change: dict[str, str], sentence: str
) -> None:
    form = {
        "sheet": ["1", "2"],
        "level-1": "level-3",
        "level-2": "level-3",
        "marks-1": '{"d2": "cross"}',
        "marks-2": "{}",
    }
    answer = client.post(f"{PAGE}take/", form | change)
    assert answer.status_code == 409
    assert sentence in answer.content.decode()
    assert not Scoring.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"sheet": ["0"]},
        {"sheet": ["1", "1"]},
        {"sheet": ["one"]},
        {"level-1": "level-99"},
        {"marks-1": "["},
        {"marks-1": "[" * 5000},
        {"marks-1": '{"d2": 1}'},
        {"marks-1": '{"z99": "cross"}'},
        {"marks-1": '{"d2": "lava"}'},
        {"at-1-d2": "nonsense"},
    ],
)
def test_malformed_forms_change_nothing(client: Client, change: dict[str, object]) -> None:
    form = {"sheet": ["1"], "level-1": "level-3", "marks-1": '{"d2": "cross"}'}
    for act in ("take", "sum"):
        assert client.post(f"{PAGE}{act}/", form | change).status_code == 400
    assert not Scoring.objects.exists()


def test_marks_made_in_the_meantime_are_not_replaced_unseen(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    client.post(f"{url}1/mark/", {"at": "e1"})
    unseen = one_sheet(**{"who-1": "1", "marked-1": ""})
    answer = client.post(f"{url}photos/take/", unseen, headers={"Accept": "application/json"})
    assert answer.status_code == 409
    assert "in the meantime" in answer.json()["problem"]
    assert answer.json()["whose"] == [[1, "Ana", True], [2, "Ben", False]]
    client.post(f"{url}photos/take/", unseen | {"marked-1": "1"})
    assert marks_of(url) == [{"d2": "cross"}, {}]


def test_new_marks_from_a_photo_delete_the_stored_picture(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    sent = one_sheet(**{"who-1": "1", "picture-1": flat_sheet()})
    client.post(f"{url}photos/take/", sent)
    assert SheetPicture.objects.count() == 1
    client.post(f"{url}photos/take/", one_sheet(**{"who-1": "1", "marked-1": "1"}))
    assert not SheetPicture.objects.exists()


def undo_or_redo(client: Client, url: str, do: str) -> dict[str, object]:
    """Undo or redo on the first sheet, as its page does, and return the JSON response."""
    body = {"shown": 1, "acts": [{"id": f"{do}-in-a-test-{next(NUMBERS)}", "number": 1, "do": do}]}
    answer = client.post(f"{url}acts/", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    return answer.json()


def test_undo_of_a_photos_marks_deletes_its_picture_for_good(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    client.post(f"{url}1/mark/", {"at": "d3"})
    sent = one_sheet(**{"who-1": "1", "marked-1": "1", "picture-1": flat_sheet()})
    client.post(f"{url}photos/take/", sent)
    client.post(f"{url}1/mark/", {"at": "e2"})
    assert undo_or_redo(client, url, "undo")["has_photo"]
    answer = undo_or_redo(client, url, "undo")
    assert (answer["marks"], answer["has_photo"]) == ({"d3": "cross"}, False)
    assert not SheetPicture.objects.exists()
    answer = undo_or_redo(client, url, "redo")
    assert (answer["marks"], answer["has_photo"]) == ({"d2": "cross"}, False)


def test_points_are_shown_for_sheets_of_different_levels(client: Client) -> None:
    form = {
        "sheet": ["1", "2"],
        "level-1": "level-3",
        "marks-1": '{"d1": "cross"}',
        "level-2": "level-1",
        "marks-2": "{}",
    }
    summed = client.post(f"{PAGE}sum/", form).json()
    assert list(summed["totals"]) == ["1", "2"]
    assert "different levels" in summed["problem"]


def test_two_sheets_of_one_player_are_refused(client: Client) -> None:
    url = begin(client, "level-3", {"player": "Ana"}, {"player": "Ben"})
    form = {
        "sheet": ["1", "2"],
        **{f"level-{i}": "level-3" for i in (1, 2)},
        **{f"marks-{i}": "{}" for i in (1, 2)},
        **{f"who-{i}": "1" for i in (1, 2)},
    }
    answer = client.post(f"{url}photos/take/", form)
    assert answer.status_code == 409
    assert "same player" in answer.content.decode()


def test_a_sheet_of_another_level_is_named(client: Client) -> None:
    url = begin(client, "level-1", {"player": "Ana"}, {"player": "Ben"})
    page = send(client, take("level-3", seed=6).jpeg, to=f"{url}photos/").content.decode()
    assert "This is a sheet of another level" in page
    assert 'name="sheet"' not in page


@pytest.mark.parametrize(
    ("photo", "sentence"),
    [
        (b"", "not a photo that can be read"),
        (b"%PDF-1.7", "This PDF or TIFF is damaged"),
        (b"MM\0*" + bytes(99), "This PDF or TIFF is damaged"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (None, "not a photo that can be read"),
    ],
    ids=["nothing", "pdf", "tiff", "heic", "half a photo"],
)
def test_an_unreadable_photo_gets_a_reason(
    client: Client, photo: bytes | None, sentence: str
) -> None:
    page = send(client, take("level-3", seed=6).jpeg[:20_000] if photo is None else photo)
    assert page.status_code == 200
    assert sentence in page.content.decode()


def scanned(*photos: bytes, kind: str) -> bytes:
    """Return a document whose pages are these photos; an empty one is a blank page."""
    blank = Image.new("L", (1240, 1754), 250)
    pages = [Image.open(io.BytesIO(one)).convert("L") if one else blank for one in photos]
    stream = io.BytesIO()
    pages[0].save(stream, kind, save_all=True, append_images=pages[1:], resolution=300)
    return stream.getvalue()


@pytest.mark.parametrize(("kind", "name"), [("PDF", "scan.pdf"), ("TIFF", "scan.tif")])
def test_scan_is_read_page_by_page(client: Client, kind: str, name: str) -> None:
    one, two = take("level-3", paper="a5", seed=9), take("level-3", "level-3", seed=4)
    data = scanned(one.jpeg, b"", to_jpeg(noise_on_cloth(180)), b"", two.jpeg, kind=kind)
    page = client.post(f"{PAGE}read/", {"photo": SimpleUploadedFile(name, data)})
    form = fields(page)
    assert form["sheet"] == ["1", "3", "4"]
    url = client.post(f"{PAGE}take/", form | {"out-2": "on"}).headers["Location"]
    true = (one.truths[0], two.truths[0], two.truths[1])
    assert marks_of(url) == list(map(true_marks, true))
    text = page.content.decode()
    assert text.count('class="card unread-sheet"') == 1, "blank pages are left out"
    assert f"{name}, page 3" in text
    assert f"{name}, page 2" not in text


def test_scan_of_blank_pages_says_so(client: Client) -> None:
    page = send(client, scanned(b"", b"", kind="PDF"))
    assert page.content.decode().count("nothing on this page but blank paper") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="counts no processor's time")
@pytest.mark.parametrize(
    ("limit", "sentence", "is_again"),
    [
        ({"time_limit_seconds": 0.1}, "too much else to do here just now", True),
        ({"cpu_limit_seconds": 0.01}, "took too long, so it was stopped", False),
        ({"memory_limit_mib": 1}, "needs more memory than one photo may have", False),
    ],
    ids=["busy machine", "time", "memory"],
)
def test_a_photo_beyond_a_limit_gets_a_reason(
    client: Client,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    limit: dict[str, float],
    sentence: str,
    is_again: bool,
) -> None:
    settings.DRAWING_PROCESSES = 1
    pool = process_pool.TaskPool(1)  # with a new worker: a used one still occupies memory
    monkeypatch.setattr(process_pool, "pool", lambda _max_workers: pool)
    monkeypatch.setattr(process_pool, "PHOTO_READING", process_pool.PHOTO_READING._replace(**limit))
    photo = SimpleUploadedFile("a.jpg", take("level-3", seed=6).jpeg)
    page = client.post(f"{PAGE}read/", {"photo": photo, "part": "1"}).content.decode()
    pool.close()
    assert sentence in page
    assert ("data-again" in page) is is_again


def test_a_page_that_is_not_modified_may_still_show_pictures(client: Client) -> None:
    first = client.get(PAGE)
    known = client.get(PAGE, headers={"If-None-Match": first.headers["ETag"]})
    assert known.status_code == 304
    assert "data:" in known.headers["Content-Security-Policy"]


def test_a_missing_number_is_asked_for_with_several_sheets() -> None:
    level = shipped_levels()["level-3"]
    flag = next(one.name for one in level.fields if one.symbol == "flag")
    reached = Place(flag, ((0, 0, 9, 9),), (), ("cross", ""), is_asked=False)
    numbers = ((0, 20, 5, 5), (9, 20, 5, 5))
    track = Place("flag red", numbers, ("10", "6"), ("", "10", "6"), is_asked=False)
    sheet = SheetResult("", 0, 1, (90, 90), b"", b"", b"", (reached, track))
    page_context = PhotoPageContext((level,), "/", "/")
    (alone,) = show_sheets(page_context, [sheet], 1)
    assert not alone.asked
    together = show_sheets(page_context, [sheet, sheet], 1)
    assert [place.at for place in together[0].asked] == ["flag red"]


@pytest.mark.parametrize(
    ("flag", "is_doubtful", "likely", "asked"),
    [
        (("", "cross"), False, ("", "10", "6"), []),
        (("", "cross"), False, ("10", "", "6"), ["flag red"]),
        (("", "cross"), True, ("", "10", "6"), ["FLAG", "flag red"]),
        (("cross", ""), False, ("", "10", "6"), ["flag red"]),
    ],
    ids=["out of reach", "seen all the same", "perhaps reached", "reached"],
)
def test_a_circled_number_is_asked_for_only_where_one_is_possible(
    flag: tuple[str, ...], is_doubtful: bool, likely: tuple[str, ...], asked: list[str]
) -> None:
    level = shipped_levels()["level-3"]
    at = next(one.name for one in level.fields if one.symbol == "flag")
    numbers = ((0, 20, 5, 5), (9, 20, 5, 5))
    places = (
        Place(at, ((0, 0, 9, 9),), (), flag, is_asked=is_doubtful),
        Place("flag red", numbers, ("10", "6"), likely, is_asked=True),
    )
    sheet = SheetResult("", 0, 1, (90, 90), b"", b"", b"", places)
    (shown,) = show_sheets(PhotoPageContext((level,), "/", "/"), [sheet], 1)
    assert [place.at for place in shown.asked] == [one.replace("FLAG", at) for one in asked]


def test_a_refused_sheet_among_good_ones_names_its_photo() -> None:
    level = shipped_levels()["level-3"]
    good = SheetResult("", 0, 1, (90, 90))
    page_context = PhotoPageContext((level,), "/", "/")
    sheets = show_sheets(page_context, [good, SheetResult("blurred")], 1)
    page = render_to_string(
        "photos/_photos.html",
        {"page_context": page_context, "photos": [ReadPhoto("IMG_7.jpg", sheets)]},
    )
    assert 'role="alert"><b><bdi translate="no">IMG_7.jpg</bdi></b>: <span class="why">' in page


@pytest.mark.parametrize(("asked", "is_said"), [(11, False), (12, True)])
def test_too_many_questions_suggest_another_photo(asked: int, is_said: bool) -> None:
    level = shipped_levels()["level-3"]
    places = tuple(
        Place(field.name, ((0, 0, 9, 9),), (), ("", "cross"), is_asked=i < asked)
        for i, field in enumerate(level.fields)
    )
    seen = SheetResult("", 0, 1, (90, 90), b"", b"", b"", places)
    page_context = PhotoPageContext((level,), "/", "/")
    page = render_to_string(
        "photos/_photos.html",
        {
            "page_context": page_context,
            "photos": [ReadPhoto("a.jpg", show_sheets(page_context, [seen], 1))],
        },
    )
    assert ("Much of this sheet is hard to read." in page) is is_said


def test_a_photo_without_a_sheet_links_to_scoring_by_hand(client: Client) -> None:
    file = io.BytesIO()
    rng = np.random.default_rng(1)
    Image.fromarray(rng.integers(0, 255, (900, 900, 3), np.uint8)).save(file, "JPEG")
    page = send(client, file.getvalue()).content.decode()
    assert "none of our sheets" in page
    assert 'href="/score/">' in page


def test_a_form_without_a_photo_asks_for_one(client: Client) -> None:
    assert "Choose at least one photo" in client.post(f"{PAGE}read/", {}).content.decode()


def test_a_photo_is_not_stored_in_a_file(client: Client, settings: object) -> None:
    jpeg = take("level-3", seed=6).jpeg
    send(client, jpeg)
    folder = Path(settings.DATA_DIR)  # type: ignore[attr-defined]
    assert not [file for file in folder.rglob("*") if file.is_file() and jpeg in file.read_bytes()]


def test_the_names_of_photos_are_shown_as_text(client: Client) -> None:
    page = client.post(
        f"{PAGE}read/", {"photo": SimpleUploadedFile("Ana & <Ben>.jpg", b"no photo")}
    ).content.decode()
    assert "Ana &amp; &lt;Ben&gt;.jpg" in page


def test_the_state_of_a_sheet_is_that_of_the_photo(client: Client) -> None:
    form = fields(send(client, take("level-1", seed=5).jpeg))
    url = client.post(f"{PAGE}take/", form).headers["Location"]
    assert state(client, url)["marks"] == marks_of(url)[0]


def flat_sheet(**more: object) -> SimpleUploadedFile:
    """Return a picture as the page sends it."""
    file = io.BytesIO()
    Image.new("RGB", (900, 1300), "white").save(file, "JPEG", **more)
    return SimpleUploadedFile("sheet.jpg", file.getvalue(), "image/jpeg")


def one_sheet(**more: object) -> dict[str, object]:
    return {"sheet": ["1"], "level-1": "level-3", "marks-1": '{"d2": "cross"}', **more}


@pytest.mark.postgresql
def test_a_picture_is_stored_only_on_request_and_deleted_with_its_sheet(client: Client) -> None:
    url = client.post(f"{PAGE}take/", one_sheet()).headers["Location"]
    assert client.get(f"{url}1/photo.jpg").status_code == 404
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    sent = one_sheet(**{"picture-1": flat_sheet(exif=exif)})
    url = client.post(f"{PAGE}take/", sent).headers["Location"]
    kept = client.get(f"{url}1/photo.jpg")
    assert kept.headers["Content-Type"] == "image/jpeg"
    assert b"taken at home" not in kept.content
    known = {"If-None-Match": kept.headers["ETag"]}
    assert client.get(f"{url}1/photo.jpg", headers=known).status_code == 304
    assert f"{url}1/photo.jpg" in client.get(f"{url}1/").content.decode()
    client.post(f"{url}delete/")
    assert not SheetPicture.objects.exists()


def test_a_stored_picture_can_be_deleted_alone_by_editors(client: Client) -> None:
    sent = one_sheet(**{"picture-1": flat_sheet()})
    url = client.post(f"{PAGE}take/", sent).headers["Location"]
    share = f"/score/{store.find(url.split('/')[2]).share_key}/"
    assert client.get(f"{share}1/photo.jpg").status_code == 200
    assert client.post(f"{share}1/photo/drop/").status_code == 403
    assert SheetPicture.objects.count() == 1
    assert client.post(f"{url}1/photo/drop/").headers["Location"] == f"{url}1/"
    assert not SheetPicture.objects.exists()
    assert marks_of(url) == [{"d2": "cross"}]


def test_a_stored_picture_has_a_bounded_size(client: Client) -> None:
    noise = Image.frombytes("RGB", (2200, 1600), Random(1).randbytes(2200 * 1600 * 3))
    file = io.BytesIO()
    noise.save(file, "JPEG", quality=35)
    assert 1_000_000 < file.tell() < MAX_PICTURE_BYTES
    sent = one_sheet(**{"picture-1": SimpleUploadedFile("sheet.jpg", file.getvalue())})
    assert client.post(f"{PAGE}take/", sent).status_code == 302
    kept = bytes(SheetPicture.objects.get().jpeg)
    assert len(kept) <= MAX_PICTURE_BYTES
    assert Image.open(io.BytesIO(kept)).size == noise.size


def bomb() -> bytes:
    """Return a small JPEG file whose header declares 65,000 times 65,000 pixels."""
    data = bytearray(flat_sheet().read())
    header = data.index(b"\xff\xc0") + len(b"\xff\xc0") + 3  # its length, and bits of a pixel
    data[header : header + 4] = (65_000).to_bytes(2, "big") * 2
    return bytes(data)


def test_a_picture_bomb_is_refused_without_a_traceback(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    sent = one_sheet(**{"picture-1": SimpleUploadedFile("sheet.jpg", bomb())})
    answer = client.post(f"{PAGE}take/", sent)
    assert answer.status_code == 409
    assert "photo of a sheet cannot be saved" in answer.text
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    "picture",
    [
        SimpleUploadedFile("sheet.jpg", b"no picture"),
        SimpleUploadedFile("sheet.jpg", flat_sheet().read()[:500]),
        SimpleUploadedFile("sheet.jpg", b"\xff\xd8\xff" + bytes(1_600_000)),
    ],
)
def test_a_malformed_picture_changes_nothing(client: Client, picture: SimpleUploadedFile) -> None:
    picture.seek(0)
    answer = client.post(f"{PAGE}take/", one_sheet(**{"picture-1": picture}))
    assert answer.status_code == 409
    assert "photo of a sheet cannot be saved" in answer.text
    assert not Scoring.objects.exists()


@pytest.mark.parametrize(
    "level",
    [
        level if level in {"level-1", "level-8"} else pytest.param(level, marks=pytest.mark.slow)
        for level in shipped_levels()
    ],
)
def test_a_read_sheet_is_scored_and_printed_as_on_paper(level: str, client: Client) -> None:
    """Print, fill in, photograph, read, score, print filled, photograph that, read it again."""
    photo = take(level, seed=6)
    form = fields(send(client, photo.jpeg))
    marks = true_marks(photo.truths[0])
    answers = {f"at-1-{at}": marks.get(at, "") for at in asked(form)}
    url = client.post(f"{PAGE}take/", form | answers).headers["Location"]
    assert marks_of(url) == [marks]
    scored = totals(client, url)
    document = client.get(f"{url}sheets.json").content
    again = upload(client, document).headers["Location"]
    assert totals(client, again) == scored
    pdf = client.get(f"/print/filled/{url.split('/')[2]}.pdf").content
    (page,) = pdfium.PdfDocument(pdf)
    picture = io.BytesIO()
    page.render(scale=200 / 72).to_pil().convert("RGB").save(picture, "JPEG", quality=90)
    form = fields(send(client, picture.getvalue()))
    assert form["level-1"] == level
    read = json.loads(form["marks-1"])
    # Numbers that follow from the sheets are circled in print, even if they were not on paper.
    places = {at for at in read.keys() | marks.keys() if " " not in at}
    certain = places - set(asked(form))
    assert {at: read.get(at, "") for at in certain} == {at: marks.get(at, "") for at in certain}


def asked(form: dict[str, object]) -> list[str]:
    """Return the places that the page asks about."""
    return [name.removeprefix("at-1-") for name in form if name.startswith("at-1-")]
