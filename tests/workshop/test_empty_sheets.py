"""Own levels from photos of empty sheets, without script."""

from __future__ import annotations

import io
import json
import re
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from sheets.access.keys import idempotency_key_of, share_key
from sheets.management.commands.prune import delete_unused
from sheets.models import EmptySheet, WorkshopLevel
from sheets.rules.level import parse_field
from sheets.workshop import empty_sheets, store
from sheets.workshop.acts import Grid, Insert, Remove, SheetFeatures, Undo
from sheets.workshop.empty_sheets import Parts
from sheets.workshop.photo_result import EmptySheetContent
from tests.page_text import unmarked
from tests.vision.empty_sheet_shots import take_empty_sheet
from tests.web.test_weight import LIMIT_BYTES, weigh
from tests.workshop.test_guide import steps
from tests.workshop.test_pages import send, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("photos_read_once")]

READ = "/workshop/own/photos/read/"
SEED, SHIFTED = 1, 4
SEEN = EmptySheetContent(
    columns=4,
    rows=3,
    digits={"a1": 1, "b1": 5, "c1": 2, "d1": 3, "a2": 4, "b2": 6, "d2": 2, "b3": 3, "c3": 0},
    asked=["b2", "c3"],
    shifts=[0.0, 0.5, 0.0],
    groups=[["a1", "b1", "c1"], ["d1", "a2"], ["b2", "d2", "b3"], ["c3"]],
    arrows={"2": 5},
)
PARTS = Parts(b"a picture", {"field_px": 64, "first": [96, 96]}, SEEN)


def photo(name: str = "IMG_1.jpg", data: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data or take_empty_sheet(SEED).shot.jpeg, "image/jpeg")


def begin(parts: Parts = PARTS) -> str:
    """Create a level from a photo; return its address."""
    return f"/workshop/{empty_sheets.begin({'en': 'Pad'}, parts)}/"


def test_photo_becomes_a_private_draft_with_its_digits(client: Client) -> None:
    answer = client.post(READ, {"photo": photo()})
    assert answer.status_code == 302
    location = answer.headers["Location"]
    assert location.endswith("/guide/size/")
    level, kept = stored(location), EmptySheet.objects.get()
    assert level.is_bought
    assert kept.level == level
    asked = set(msgspec.convert(kept.seen, EmptySheetContent).asked)
    true = take_empty_sheet(SEED).page.fields
    left, top = (min(place[i] for place in true) for i in (0, 1))
    rows = [row.split() for row in level.document["grid"]]
    for y, row in enumerate(rows):
        for x, token in enumerate(row):
            field = true.get((x + left, y + top))
            name = f"{chr(ord('a') + x)}{y + 1}"
            assert token == ("?" if name in asked else str(field.digit) if field else ".")
    assert len(asked) < len(true) / 4
    # Only the pixels of the photo are stored.
    with Image.open(io.BytesIO(bytes(kept.picture))) as picture:
        assert picture.format == "WEBP"
        assert not picture.getexif()
        assert set(picture.info) <= {"loop", "background", "timestamp", "duration"}


def test_same_photo_sent_twice_makes_one_level(client: Client) -> None:
    sent = {"request": "a1b2c3d4", "part": "1"}
    first = client.post(READ, {**sent, "photo": photo()}).content
    again = client.post(READ, {**sent, "photo": photo()}).content
    assert b"/guide/size/" in first
    assert again == first
    assert WorkshopLevel.objects.count() == EmptySheet.objects.count() == 1
    parts = {empty_sheets.begin({}, PARTS, idempotency_key_of("request-1", b"1")) for _ in range(2)}
    assert len(parts) == 1
    assert empty_sheets.begin({}, PARTS, idempotency_key_of("request-1", b"2")) not in parts


@pytest.mark.slow
def test_a_second_photo_of_a_sheet_asks_whether_it_is_another_one(client: Client) -> None:
    first = client.post(READ, {"photo": photo(), "request": "request-a"}).headers["Location"]
    again = {"request": "request-b", "part": "1"}
    part = unmarked(client.post(READ, {**again, "photo": photo()}))
    links = re.findall(r'href="([^"]+)"', part)
    assert "Go on with “My sheet”" in part
    assert links[0] == first.replace("guide/size/", "")
    # A request that was repeated on a bad network gets the question again.
    assert unmarked(client.post(READ, {**again, "photo": photo()})) == part
    assert WorkshopLevel.objects.count() == 2
    # Continuing with the first level deletes the second picture.
    delete_unused(WorkshopLevel, timezone.now() - timedelta(days=store.RETENTION_DAYS - 2))
    assert WorkshopLevel.objects.count() == EmptySheet.objects.count() == 1
    whole = client.post(READ, {"request": "request-c", "photo": photo()})
    assert whole.status_code == 200
    links = re.findall(r'class="button" href="([^"]+/guide/size/)"', whole.content.decode())
    assert client.get(links[0]).status_code == 200
    delete_unused(WorkshopLevel, timezone.now() - timedelta(days=store.RETENTION_DAYS - 2))
    assert WorkshopLevel.objects.count() == 2
    # There is no question about an opened level, nor on another device.
    assert (
        b'class="begun"'
        in client.post(READ, {"request": "request-c", "photo": photo(), "part": "1"}).content
    )
    other = Client().post(READ, {"request": "request-d", "photo": photo(), "part": "1"}).content
    assert b'class="begun"' in other


def numbered(columns: int, rows: int, left: int = 0, **more: Any) -> EmptySheetContent:
    """Return a sheet of random but reproducible digits, from a column on."""
    digits = {
        f"{chr(ord('a') + x - left)}{y + 1}": 1 + (x * x + 3 * x * y + y) % 6
        for y in range(rows)
        for x in range(left, columns)
    }
    return EmptySheetContent(
        columns - left, rows, digits, **{"asked": [], "shifts": [], "groups": [], **more}
    )


@pytest.mark.parametrize(
    ("seen", "is_same"),
    [
        (numbered(26, 10), True),
        (numbered(26, 10, left=1), True),
        (numbered(26, 10, asked=["a1", "b1"]), True),
        (numbered(25, 9), False),
        (numbered(26, 10, asked=list(numbered(20, 10).digits)), False),
        (msgspec.structs.replace(SEEN, digits=dict.fromkeys(numbered(26, 10).digits, 3)), False),
    ],
)
def test_photos_with_nearly_the_same_content_are_of_one_sheet(
    seen: EmptySheetContent, is_same: bool
) -> None:
    one = empty_sheets.begin({}, PARTS._replace(seen=numbered(26, 10)))
    other = empty_sheets.begin({}, PARTS._replace(seen=seen))
    found = empty_sheets.find_same_sheet(other, [begin().split("/")[2], one])
    assert (found is not None and found.key == one) is is_same
    shown = store.find(one).resource
    assert empty_sheets.find_same_sheet(other, [share_key(one, shown.share_salt)]) is None


def test_a_second_sheet_without_a_name_gets_a_distinct_name(client: Client) -> None:
    size = {"name": "", "columns": "2", "rows": "2"}
    first = client.post("/workshop/own/", size).headers["Location"]
    client.get(first)  # now its device has it
    second = client.post(READ, {"photo": photo()}).headers["Location"]
    client.get(second)
    called = [stored(url).document["name"]["en"] for url in (first, second)]
    assert called == ["My sheet", "My sheet 2"]
    assert 'placeholder="My sheet 3"' in client.get("/workshop/own/").content.decode()
    assert 'placeholder="My sheet"' in Client().get("/workshop/own/").content.decode()


def test_undo_takes_back_that_a_kind_of_field_is_empty(client: Client) -> None:
    url = begin()
    fields = {"do": "nothing", "fields": ["d1", "a2"], "page": "here"}
    state = send(client, url, fields, fields).json()
    assert len(state["compared"]) == 1
    assert (stored(url).position, state["hasUndo"]) == (1, True)
    symbol = {"do": "squares", "put": {"d1": {"symbol": "Gy"}}, "page": "here", "entry": "e1"}
    other = {"do": "nothing", "fields": ["a1"], "page": "here", "entry": "e1"}
    assert len(send(client, url, symbol, other).json()["compared"]) == 2
    undo = {"do": "undo", "page": "here"}
    told = [send(client, url, undo).json()["told"] for _ in range(2)]
    assert told == ["Undone: d1, nothing on a1.", "Undone: nothing on d1, a2."]
    assert stored(url).compared == []
    (key,) = send(client, url, {"do": "redo", "page": "here"}).json()["compared"]
    send(client, url, {"do": "compare", "thing": key, "on": False})
    send(client, url, undo)
    assert send(client, url, {"do": "redo", "page": "here"}).json()["compared"] == [key]


@pytest.mark.slow
def test_photo_without_a_sheet_is_refused_with_advice(client: Client) -> None:
    plain = io.BytesIO()
    Image.effect_noise((900, 900), 90).save(plain, "JPEG")
    for data, says in (
        (plain.getvalue(), "no sheet with numbered fields"),
        (b"no picture", "not a photo that can be read"),
    ):
        page = client.post(READ, {"photo": photo(data=data)})
        assert page.status_code == 400
        assert says in page.content.decode()
        assert "Photograph an empty sheet" in page.content.decode()
        part = client.post(READ, {"photo": photo(data=data), "part": "1"})
        assert says in part.content.decode()
    assert "Choose at least one photo first." in client.post(READ).content.decode()
    assert not WorkshopLevel.objects.exists()


def test_uncertain_numbers_have_to_be_entered() -> None:
    document = stored(begin()).document
    rows = [" ".join(row.split()) for row in document["grid"]]
    assert rows == ["1 5 2 3", "4 ? . 2", ". 3 ? ."]
    assert document["shifts"] == [0.0, 0.5, 0.0]


def test_only_editors_see_the_photo(client: Client) -> None:
    url = begin()
    shown = f"/workshop/{store.find(url.split('/')[2]).share_key}/"
    answer = client.get(f"{url}empty-sheet.webp")
    assert answer.content == b"a picture"
    assert answer.headers["Content-Type"] == "image/webp"
    assert client.get(f"{shown}empty-sheet.webp").status_code == 403
    assert client.get(f"{shown}file/").status_code == 403
    assert "empty-sheet" not in client.get(shown).content.decode()
    assert "empty-sheet" in client.get(f"{url}?whole").content.decode()


@pytest.mark.postgresql
def test_photo_is_deleted_with_its_level(client: Client) -> None:
    first, second = begin(), begin()
    client.post(f"{first}delete/")
    assert EmptySheet.objects.count() == 1
    WorkshopLevel.objects.update(touched=timezone.now() - timedelta(days=9))
    assert delete_unused(WorkshopLevel, timezone.now()) == 1
    assert not EmptySheet.objects.exists()
    assert client.get(f"{second}empty-sheet.webp").status_code == 404


def test_file_has_the_photo_only_if_that_was_ticked(client: Client) -> None:
    url = begin()
    send(client, url, {"do": "grid", "rows": ["1x 5 2 3", "4 6 . 2", ". 3 4 ."]})
    assert "Include the picture" in client.get(f"{url}file/").content.decode()
    plain = client.post(f"{url}file/")
    assert plain.headers["Content-Type"] == "application/json"
    assert plain.content == client.get(f"{url}level.json").content
    packed = client.post(f"{url}file/", {"empty-sheet": "on"})
    with ZipFile(io.BytesIO(packed.content)) as file:
        level, picture = sorted(file.namelist())
        assert file.read(level) == plain.content
        assert file.read(picture) == b"a picture"


def moved(url: str) -> tuple[int, int] | None:
    found = empty_sheets.find_gathering(stored(url))
    assert found
    return found.moved


def test_names_move_with_rows_and_columns_and_back(client: Client) -> None:
    url = begin()
    access = store.find(url.split("/")[2])
    assert moved(url) == (0, 0)
    store.act(access, [Insert(column="a", page="p"), Insert(row=1, page="p")])
    assert moved(url) == (1, 1)
    store.act(access, [Undo(page="p"), Undo(page="p")])
    assert moved(url) == (0, 0)
    store.act(access, [Remove(column="a")])
    assert moved(url) == (-1, 0)
    state = client.get(f"{url}state/?revision=0").json()
    assert state["moved"] == [-1, 0]
    # The fields of the photo are still the same ones.
    grid = [row.split() for row in state["document"]["grid"]]
    for name in ("b1", "c1", "d1", "d2", "b3"):
        column, row = parse_field(name)
        assert grid[row][column - 1] == str(SEEN.digits[name])


def test_photographed_sheet_has_a_step_to_name_its_symbols(client: Client) -> None:
    shown = steps(client, begin())
    assert "gather" in shown
    assert not {"symbols", "crosses"} & {*shown}
    # The usual steps are still available for corrections.
    assert "symbols" in steps(client, begin(), "symbols")


def test_step_to_areas_is_left_out_where_a_photo_shows_neither_them_nor_arrows(
    client: Client,
) -> None:
    def arrows(url: str) -> tuple[str, bool]:
        page = client.get(f"{url}guide/arrows/").content.decode()
        (ahead,) = re.findall(r'id="next-step" href="[^"]*/guide/(\w+)/"', page)
        return ahead, "If the sheet has none, go on." in page

    bare = begin(PARTS._replace(seen=msgspec.structs.replace(SEEN, arrows={})))
    assert arrows(bare) == ("points", True)
    assert "areas" not in steps(client, bare, "arrows")
    # Also after an arrow, so that the number of steps does not change.
    send(client, bare, {"do": "row-line", "row": 1, "points": 5})
    assert arrows(bare) == ("points", True)
    numbers = [
        re.findall(r"Step (\d+) of (\d+)", client.get(f"{bare}guide/{step}/").content.decode())
        for step in ("shifts", "arrows", "points")
    ]
    assert numbers == [[("4", "9")], [("5", "9")], [("6", "9")]]
    assert "areas" in steps(client, bare, "areas")
    assert arrows(begin()) == ("areas", False)
    send(client, bare, {"do": "area", "now": {"fields": ["a1", "b1"], "points": 3}})
    assert arrows(bare) == ("areas", False)


def test_first_step_does_not_say_that_nothing_is_missing_beside_open_numbers(
    client: Client,
) -> None:
    page = client.get(f"{begin()}guide/size/").content.decode()
    said = page.partition('id="check-list"')[2].partition("</div>")[0]
    assert "The next steps ask for the rest." in said
    assert "nothing looks odd" not in said


def test_unnamed_kinds_of_symbols_are_listed(client: Client) -> None:
    url = begin()

    def told() -> list[str]:
        checks = client.get(f"{url}state/?revision={stored(url).revision - 1}").json()["checks"]
        return re.findall('data-mends="gather"[^>]*>([^<]*)<', checks)

    assert told() == ["You have not said yet what 4 kinds of field on your photo are."]
    gems = {name: {"symbol": "Gy"} for name in ("d1", "a2")}
    send(client, url, {"do": "squares", "put": gems})
    assert told() == ["You have not said yet what 3 kinds of field on your photo are."]
    # The script shows this as "nothing on a1, b1 and c1".
    send(client, url, {"do": "compare", "thing": "4149921c7fae44c3", "on": True})
    assert told() == ["You have not said yet what 2 kinds of field on your photo are."]


def turned(client: Client, url: str) -> dict[str, Any]:
    client.post(f"{url}photos/turn/")
    return dict(stored(url).document)


@pytest.mark.slow
def test_sheet_can_be_turned_until_it_is_edited(client: Client) -> None:
    url = "/".join(client.post(READ, {"photo": photo()}).headers["Location"].split("/")[:3]) + "/"
    before = stored(url).document
    assert "Turn it by a quarter" in client.get(f"{url}guide/size/").content.decode()
    now = turned(client, url)
    assert len(now["grid"]) == len(before["grid"][0].split())
    assert not msgspec.convert(EmptySheet.objects.get().seen, EmptySheetContent).is_upright
    assert "Hardly any number" in client.get(f"{url}guide/size/").content.decode()
    for _ in range(3):
        now = turned(client, url)
    assert len(now["grid"]) == len(before["grid"])
    same = sum(a == b for a, b in zip(str(now["grid"]), str(before["grid"]), strict=True))
    assert same > 0.9 * len(str(before["grid"]))
    store.act(store.find(url.split("/")[2]), [Grid(rows=["1 2", "3 4"])])
    assert [row.split() for row in turned(client, url)["grid"]] == [["1", "2"], ["3", "4"]]


def test_complete_level_offers_photos_of_filled_sheets(client: Client) -> None:
    url = begin()
    photos = f'href="{url}photos/"'
    assert photos not in client.get(f"{url}guide/done/").content.decode(), "numbers are missing"
    store.act(store.find(url.split("/")[2]), [Grid(rows=["1x 2", "3 4"])])
    assert photos in client.get(f"{url}guide/done/").content.decode()
    assert client.get(f"{url}photos/").status_code == 200


@pytest.mark.slow
def test_sheet_with_shifted_rows_is_turned_by_half(client: Client) -> None:
    data = take_empty_sheet(SHIFTED).shot.jpeg
    way = client.post(READ, {"photo": photo(data=data)}).headers["Location"]
    url = "/".join(way.split("/")[:3]) + "/"
    before = stored(url).document
    now = turned(client, url)
    assert [len(one["shifts"]) for one in (before, now)] == [len(before["grid"])] * 2
    holes = [[square == "." for square in row.split()] for row in before["grid"]]
    assert [[square == "." for square in row.split()] for row in now["grid"]] == [
        row[::-1] for row in holes[::-1]
    ]


@pytest.mark.postgresql
def test_turning_does_not_undo_simultaneous_edits_of_another_device() -> None:
    access = store.find(begin().split("/")[2])
    kept = empty_sheets.find(access.resource)
    assert kept is not None
    store.act(access, [SheetFeatures(what=["volcano"])])
    assert not empty_sheets.turn(access, kept, PARTS)


def test_a_picture_larger_than_from_any_photo_is_not_stored() -> None:
    with pytest.raises(ValueError, match="picture"):
        begin(PARTS._replace(picture=bytes(empty_sheets.MAX_BYTES + 1)))
    assert not WorkshopLevel.objects.exists()


def test_pages_with_a_photo_stay_small(client: Client) -> None:
    url = begin()
    for path in ("guide/size/", "guide/gather/", "guide/check/", "?whole"):
        parts = weigh(client, url + path)
        assert sum(parts.values()) < LIMIT_BYTES, parts


def test_page_has_the_data_of_the_photo_for_the_script(client: Client) -> None:
    page = client.get(f"{begin()}guide/gather/").content.decode()
    text = page.split('<script id="empty" type="application/json">')[1].split("</script>")[0]
    known = json.loads(text)
    assert known["groups"] == SEEN.groups
    assert known["arrows"] == SEEN.arrows
    assert known["first"] == [96, 96]
