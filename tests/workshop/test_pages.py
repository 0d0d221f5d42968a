"""Pages of the workshop: permissions, refusals and stored data."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from sheets.http import rate_limits
from sheets.levels import find_level
from sheets.management.commands.prune import delete_unused
from sheets.models import DraftChange, WorkshopLevel
from sheets.rules import format_level
from sheets.simulation.balance.sentences import describe_trial
from sheets.simulation.balance.trial import try_level
from sheets.text.languages import languages
from sheets.workshop import store
from sheets.workshop.guide import PHOTO, STEPS
from tests.score_levels import GARDEN
from tests.web import test_weight

pytestmark = pytest.mark.django_db

READY = {"do": "grid", "rows": ["3x 5 1Gy", "2 . 4"]}
PAID = {"do": "points", "of": "gem", "colour": "yellow", "points": 2}


def begin(client: Client, way: str = "own", **more: Any) -> str:
    """Create a level and return its address, ``/workshop/KEY/``."""
    response = client.post(f"/workshop/{way}/", {"name": "Oma", "columns": 3, "rows": 2, **more})
    assert response.status_code == 302
    return "/".join(response.headers["Location"].split("/")[:3]) + "/"


def send(client: Client, url: str, *acts: dict[str, Any]) -> Any:
    return client.post(f"{url}acts/", json.dumps({"acts": acts}), content_type="application/json")


def stored(url: str) -> WorkshopLevel:
    return store.find(url.split("/")[2]).resource


def ready(client: Client) -> str:
    url = begin(client)
    assert send(client, url, READY, PAID).status_code == 200
    return url


def share_url(client: Client, url: str) -> str:
    page = client.get(f"{url}links/").content.decode()
    return "/workshop/" + re.findall(r"/workshop/([A-Za-z0-9_-]{32})/", page.split("To show")[1])[0]


def test_bought_sheet_begins_with_its_numbers_and_a_note_on_the_owner(client: Client) -> None:
    page = client.get("/workshop/own/").content.decode()
    assert "private use of a sheet that you own" in page
    sent = {"name": "Oma", "columns": 8, "rows": 11}
    location = client.post("/workshop/own/", sent).headers["Location"]
    assert location.endswith("/guide/numbers/")
    level = stored(location)
    assert level.is_bought
    assert level.document["name"] == dict.fromkeys(languages(), "Oma")
    assert [len(row.split()) for row in level.document["grid"]] == [8] * 11


def test_retention_is_shown_at_creation_and_next_to_the_link(
    client: Client,
) -> None:
    url = begin(client)
    said = f"Levels are deleted after {store.RETENTION_DAYS} days without a visit."
    for path in ("/workshop/", f"{url}links/", f"{url}guide/done/"):
        assert said in client.get(path).content.decode(), path
    unit = Path("deploy/systemd/dizzle-prune.service").read_text("utf-8")
    assert f"manage.py prune --days {store.RETENTION_DAYS}\n" in unit


@pytest.mark.parametrize("way", ["own", "invent"])
@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"columns": 0}, "1 to 26 columns"),
        ({"rows": 27}, "1 to 26 rows"),
        ({"columns": "x"}, "1 to 26 columns"),
        ({"name": "x" * 81}, "at most 80 letters"),
        ({"rows": ""}, "1 to 26 rows"),
    ],
)
def test_impossible_size_is_refused(
    client: Client, way: str, sent: dict[str, Any], words: str
) -> None:
    values = {"name": "A", "columns": 3, "rows": 2} | sent
    response = client.post(f"/workshop/{way}/", values)
    assert response.status_code == 400
    assert words in response.content.decode()
    assert not WorkshopLevel.objects.exists()


def test_every_step_has_its_own_address(client: Client) -> None:
    url = begin(client)
    for name, step in STEPS.items():
        # One step exists only with a photo, another only on rail levels.
        expected = 302 if step.needs in (PHOTO, "tracks") else 200
        assert client.get(f"{url}guide/{name}/").status_code == expected
    assert client.get(f"{url}guide/nothing/").status_code == 404


def test_copy_of_a_shipped_level_is_the_level_with_an_id_of_its_own(client: Client) -> None:
    response = client.post("/workshop/copy/", {"source": "level", "level": "level-4"})
    document = stored(response.headers["Location"]).document
    shipped = dict(format_level(find_level("level-4")))
    author, names = shipped.pop("author"), shipped["name"]
    assert document | {"id": "level-4", "name": names} == shipped
    assert document["id"].startswith("own-")
    assert author
    assert set(document["name"]) == set(languages())
    assert document["name"]["de"] == f"Kopie von {names['de']}"
    assert document["name"]["en"] == f"Copy of {names['en']}"


def test_file_begins_a_level(client: Client) -> None:
    text = json.dumps(format_level(find_level("level-7"))).encode()
    file = SimpleUploadedFile("level.json", text)
    response = client.post("/workshop/copy/", {"source": "file", "file": file})
    assert response.status_code == 302
    assert stored(response.headers["Location"]).document == json.loads(text)


def test_next_level_gets_another_name_than_one_with_the_same_name_in_all_languages(
    client: Client,
) -> None:
    text = json.dumps(format_level(find_level("level-7")) | {"name": "My level"}).encode()
    sent = {"source": "file", "file": SimpleUploadedFile("level.json", text)}
    client.get(client.post("/workshop/copy/", sent).headers["Location"])
    assert "My level 2" in client.get("/workshop/invent/").content.decode()


def test_rows_begin_a_level_and_short_ones_end_in_holes(client: Client) -> None:
    sent = {"source": "rows", "rows": "3x 5 1Gy\r\n\r\n2\r\n"}
    response = client.post("/workshop/copy/", sent)
    grid = stored(response.headers["Location"]).document["grid"]
    assert [row.split() for row in grid] == [["3x", "5", "1Gy"], ["2", ".", "."]]


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({}, "Choose what to start from."),
        ({"source": "stone"}, "Choose what to start from."),
        ({"source": "level", "level": "level-99"}, "There is no level “level-99” here."),
        ({"source": "file"}, "Choose a file first."),
        ({"source": "rows", "rows": " \n"}, "Paste some rows first."),
        ({"source": "rows", "rows": "3 5\n7"}, "Row 2: “7” is not a field."),
        ({"source": "rows", "rows": "1 " * 27}, "26 rows and 26 columns"),
        ({"source": "rows", "rows": "1\n" * 27}, "26 rows and 26 columns"),
    ],
)
def test_impossible_start_is_refused_in_a_sentence(
    client: Client, sent: dict[str, Any], sentence: str
) -> None:
    response = client.post("/workshop/copy/", sent)
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert not WorkshopLevel.objects.exists()


def test_empty_file_is_refused(client: Client) -> None:
    sent = {"source": "file", "file": SimpleUploadedFile("x.json", b"")}
    response = client.post("/workshop/copy/", sent)
    assert response.status_code == 400
    assert "The file is empty." in response.content.decode()


def test_broken_file_is_refused_with_its_place(client: Client) -> None:
    text = json.dumps(dict(format_level(find_level("level-1"))) | {"grid": ["3x 9"]}).encode()
    response = client.post(
        "/workshop/copy/", {"source": "file", "file": SimpleUploadedFile("x.json", text)}
    )
    assert response.status_code == 400
    assert "Row 1 of the grid: “9” is not a field." in response.content.decode()


def test_edits_are_stored_and_answered_with_checks(client: Client) -> None:
    url = begin(client)
    state = send(client, url, {"do": "squares", "put": {"a1": {"number": "3"}}}).json()
    assert state["revision"] == 1
    assert state["document"]["grid"][0].split() == ["3", "?", "?"]
    assert 'data-fields="b1 c1 a2 b2 c2" data-mends="numbers"' in state["checks"]
    assert client.get(f"{url}state/?revision=1").status_code == 204
    assert client.get(f"{url}state/?revision=0").json() == state


def test_undo_and_redo_go_back_to_the_beginning_and_forth(client: Client) -> None:
    url = begin(client)
    documents = [stored(url).document]
    for number in range(1, 41):
        act = {"do": "row-line", "row": 1 + number % 2, "points": number % 99}
        documents.append(send(client, url, act).json()["document"])
    for expected in reversed(documents[:-1]):
        assert send(client, url, {"do": "undo"}).json()["document"] == expected
    refused = send(client, url, {"do": "undo"})
    assert refused.status_code == 409
    assert "nothing more to undo or redo" in refused.json()["refusal"]
    for expected in documents[1:]:
        assert send(client, url, {"do": "redo"}).json()["document"] == expected
    assert send(client, url, {"do": "redo"}).status_code == 409


def test_new_edit_discards_the_redo_stack(client: Client) -> None:
    url = begin(client)
    send(client, url, {"do": "difficulty", "stars": 3}, {"do": "undo"})
    state = send(client, url, {"do": "difficulty", "stars": 2}).json()
    assert not state["hasRedo"]
    assert send(client, url, {"do": "redo"}).status_code == 409
    assert DraftChange.objects.count() == 1


@pytest.mark.postgresql
def test_edit_sent_twice_counts_once(client: Client) -> None:
    url = begin(client)
    act = {"do": "insert", "row": 1, "id": "insert-1"}
    assert send(client, url, act).json()["revision"] == 1
    assert send(client, url, act, act).json()["revision"] == 1
    assert len(stored(url).document["grid"]) == 3


def test_refused_edit_comes_with_the_fresh_level_and_the_others_count(client: Client) -> None:
    url = begin(client)
    response = send(
        client, url, {"do": "remove", "row": 9}, {"do": "squares", "put": {"a1": {"number": "6"}}}
    )
    assert response.status_code == 409
    state = response.json()
    assert "Somebody has changed that" in state["refusal"]
    assert state["document"]["grid"][0].split()[0] == "6"


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'{"acts":[{"do":"squares","put":{"a1":{"number":"8"}}}]}', b"\xff\xfe"]
)
def test_malformed_edit_changes_nothing(client: Client, body: bytes) -> None:
    url = begin(client)
    response = client.post(f"{url}acts/", body, content_type="application/json")
    assert response.status_code == 400
    assert stored(url).revision == 0


def test_acts_are_posts(client: Client) -> None:
    assert client.get(begin(client) + "acts/").status_code == 302


@pytest.mark.parametrize(
    "path",
    [
        "",
        "guide/numbers/",
        "state/",
        "phone/",
        "page-1.svg",
        "links/",
        "delete/",
        "score/",
        "play/",
    ],
)
def test_strangers_find_nothing(client: Client, path: str) -> None:
    assert client.get(f"/workshop/{'A' * 32}/{path}").status_code == 404


def test_keys_are_kept_from_search_engines_and_from_the_database(client: Client) -> None:
    url = ready(client)
    for path in ("", "guide/check/", "links/", "score/"):
        response = client.get(url + path)
        assert "noindex" in response.headers["X-Robots-Tag"]
        assert "no-store" in response.headers["Cache-Control"]
    level = stored(url)
    assert url.split("/")[2] not in (level.key_digest, level.share_digest)
    assert len(url.split("/")[2]) == 32


def test_view_link_shows_and_uses_the_level_and_changes_nothing(client: Client) -> None:
    url = ready(client)
    shown = share_url(client, url) + "/"
    page = client.get(shown).content.decode()
    assert url.split("/")[2] not in page
    assert "acts/" not in page
    for path in ("score/", "play/", "sheet.pdf", "sheet.png", "page-1.svg", "phone/"):
        assert client.get(shown + path).status_code == 200, path
    assert send(client, shown, {"do": "undo"}).status_code == 403
    for path in ("guide/numbers/", "state/", "links/", "delete/", "level.json"):
        assert client.get(shown + path).status_code == 403, path
    assert client.post(f"{shown}delete/").status_code == 403
    assert client.post(f"{shown}links/", {"do": "renew"}).status_code == 403
    assert stored(url).revision == 2


@pytest.mark.postgresql
def test_both_links_can_be_withdrawn(client: Client) -> None:
    url = ready(client)
    shown = share_url(client, url) + "/"
    client.post(f"{url}links/", {"do": "unshare"})
    assert client.get(shown).status_code == 404
    client.post(f"{url}links/", {"do": "share"})
    again = share_url(client, url) + "/"
    assert again != shown
    assert client.get(again).status_code == 200
    assert client.get(shown).status_code == 404
    renewed = client.post(f"{url}links/", {"do": "renew"}).headers["Location"]
    assert client.get(url).status_code == 404
    assert client.get(again).status_code == 404
    assert send(client, url, {"do": "undo"}).status_code == 404
    assert client.get(renewed).status_code == 200
    assert client.post(renewed, {"do": "what"}).status_code == 400


def test_level_is_deleted_with_its_history(client: Client) -> None:
    url = ready(client)
    assert client.get(f"{url}delete/").status_code == 200
    assert client.post(f"{url}delete/").headers["Location"] == "/workshop/deleted/"
    assert client.get("/workshop/deleted/").status_code == 200
    assert client.get(url).status_code == 404
    assert not DraftChange.objects.exists()


@pytest.mark.postgresql
def test_unused_levels_are_pruned(client: Client) -> None:
    url, other = ready(client), ready(client)
    old = timezone.now() - timedelta(days=40)
    WorkshopLevel.objects.filter(pk__in=[stored(url).pk, stored(other).pk]).update(touched=old)
    client.get(other)
    assert delete_unused(WorkshopLevel, timezone.now() - timedelta(days=30)) == 1
    assert client.get(url).status_code == 404
    assert client.get(other).status_code == 200


@pytest.mark.parametrize("path", ["sheet.pdf", "level.json", "balance/"])
def test_unfinished_level_says_what_it_lacks(client: Client, path: str) -> None:
    url = begin(client)
    response = client.get(url + path)
    assert response.status_code == 409
    page = response.content.decode()
    assert "have no number yet" in page
    assert f'href="{url}guide/numbers/?missing"' in page


@pytest.mark.parametrize("path", ["score/", "play/", "print/"])
def test_uses_of_an_unfinished_level_lead_to_what_is_missing(client: Client, path: str) -> None:
    bought, invented = begin(client), begin(client, "invent")
    for url, place in ((bought, "guide/numbers/"), (invented, "")):
        wanted = f"{url}{place}?missing"
        assert client.get(url + path).headers["Location"] == wanted
        assert client.post(f"{url}solo/").headers["Location"] == wanted
        page = client.get(wanted).content.decode()
        sentence = "These have no number yet: a1, b1, c1, a2, b2, c2."
        assert f"<strong>Not ready yet.</strong> {sentence}" in page
        assert f'data-missing="{sentence}"' in page
        send(client, url, READY)
        points = client.get(url + path).headers["Location"]
        assert points == (f"{url}guide/points/?missing" if place else wanted)
        assert "Not ready yet" not in client.get(f"{url}guide/symbols/?missing").content.decode()
        # Visitors with a link to show cannot fix it.
        shown = client.get(f"{share_url(client, url)}/{path}")
        assert shown.status_code == 409
        assert "?missing" not in shown.headers.get("Location", "")


def test_finished_level_is_scored_with_its_own_points(client: Client) -> None:
    url = ready(client)
    page = client.post(f"{url}score/", {"count": 1}).headers["Location"]
    send(client, url, PAID | {"points": 9})
    for at in ("b1", "c1"):
        client.post(f"{page}mark/", {"at": at})
    # gem yellow: 2 as it was when scoring began
    assert client.get(f"{page}state/").json()["total"] == 2


def test_finished_level_is_played_and_printed(client: Client) -> None:
    url = ready(client)
    table = client.post(f"{url}play/", {"players": 2, "dice": "table", "name": "Ana"})
    assert table.status_code == 302
    assert client.get(table.headers["Location"]).status_code == 200
    refused = client.post(f"{url}play/", {"players": 7, "dice": "typed", "name": "Ben"})
    assert refused.status_code == 400
    assert 'value="typed" checked' in refused.content.decode()
    assert 'value="Ben"' in refused.content.decode()
    assert 'value="Ana"' in client.get(f"{url}play/").content.decode()
    assert client.post(f"{url}solo/").status_code == 302
    assert client.get(f"{url}sheet.pdf").content.startswith(b"%PDF")
    asked = "?paper=a5&copies=2&bw=on"
    assert "2 pages" in client.get(f"{url}print/{asked}").content.decode()
    assert client.get(f"{url}sheet.pdf{asked}").content.startswith(b"%PDF")
    assert client.get(f"{url}page-1.svg{asked}").status_code == 200
    for bad in ("?paper=b7", "?copies=999", "?copies=500&paper=a4&per-page=1"):
        assert client.get(f"{url}print/{bad}").status_code == 400
        assert client.get(f"{url}sheet.pdf{bad}").status_code == 400
    assert client.get(f"{url}sheet.png").content.startswith(b"\x89PNG")
    document = client.get(f"{url}level.json").json()
    assert list(document)[:3] == ["format", "id", "name"]


def test_own_levels_are_listed_nowhere(client: Client) -> None:
    url = ready(client)
    send(client, url, {"do": "text", "of": "name", "language": "en", "text": "Secret orchard"})
    for path in ("/", "/levels/", "/score/", "/workshop/", "/workshop/copy/", "/table/new/"):
        assert "Secret orchard" not in client.get(path).content.decode()


@pytest.mark.parametrize("path", ["", "guide/symbols/", "guide/check/"])
def test_first_load_stays_small(client: Client, path: str) -> None:
    response = client.post("/workshop/copy/", {"source": "level", "level": "level-4"})
    parts = test_weight.weigh(client, response.headers["Location"] + path)
    assert sum(parts.values()) < test_weight.LIMIT_BYTES, parts


def test_bought_sheet_leads_back_to_its_last_step(client: Client) -> None:
    response = client.post("/workshop/own/", {"columns": 3, "rows": 2, "name": "Fir"})
    guide = response.headers["Location"]
    url = guide.split("guide/")[0]
    client.get(f"{url}guide/symbols/")
    assert client.get(url).headers["Location"] == f"{url}guide/symbols/"
    whole = client.get(f"{url}?whole")
    assert whole.status_code == 200
    assert f"{url}code/" not in whole.content.decode()
    client.get(f"{url}guide/done/")
    # Numbers are still missing.
    assert client.get(url).headers["Location"] == f"{url}guide/done/"
    send(client, url, READY, PAID)
    assert client.get(url).status_code == 200


def test_last_step_lists_possible_mistakes(client: Client) -> None:
    response = client.post("/workshop/own/", {"columns": 3, "rows": 2, "name": "Fir"})
    url = response.headers["Location"].split("guide/")[0]
    assert ">Almost done</h1>" in client.get(f"{url}guide/done/").content.decode()
    send(client, url, READY, PAID)
    # No open field has a 6, say.
    assert "it may be a slip" in client.get(f"{url}guide/done/").content.decode()


@pytest.mark.parametrize("path", ["", "own/", "invent/", "copy/", "suggest/", "{key}/play/"])
def test_page_has_at_most_one_primary_button(client: Client, path: str) -> None:
    address = f"/workshop/{path}".format(key=store.create(GARDEN))
    page = re.sub(r"(?s)<dialog.*?</dialog>", "", client.get(address).content.decode())
    assert page.count('class="button primary') <= 1


def test_pictures_have_a_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    url = ready(client)
    rate_limits.reset()
    answers = [client.get(f"{url}level.json").status_code for _ in range(61)]
    assert set(answers) == {200}
    monkeypatch.setattr("sheets.http.render_tasks.printed", lambda *_, **__: b"")
    answers = [client.get(f"{url}sheet.pdf?copies={n}").status_code for n in range(1, 62)]
    assert answers == [200] * 60 + [429]
    # Cached drawings are still returned.
    assert client.get(f"{url}sheet.pdf?copies=1").status_code == 200
    rate_limits.reset()


def test_retention_is_shown_before_and_during_creation(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "RETENTION_DAYS", 77)
    key = store.create(GARDEN)
    for url in ("/workshop/own/", "/workshop/invent/", f"/workshop/{key}/"):
        assert "deleted after 77 days" in client.get(url).content.decode(), url


RICH = GARDEN | {"points": GARDEN["points"] | {"gem": {"yellow": 40}}}


def test_trial_reports_totals_far_from_those_of_shipped_levels(client: Client) -> None:
    key = store.create(RICH)
    said = client.get(f"/workshop/{key}/trial/").json()
    tried = try_level(store.level_of(store.find(key)))
    assert tried
    assert tried.is_far
    assert said["sentence"] == describe_trial(tried)
    assert said["revision"] == 0
    assert said["sentence"] in said["checks"]
    assert f"Bots played it {tried.games} times alone: half of the games" in said["sentence"]


def test_trial_uses_the_report_if_it_is_of_the_current_level(client: Client) -> None:
    key = store.create(RICH)
    access = store.find(key)
    level = store.level_of(access)
    solo = {"players": 1, "games": 240, "scores": {"median": 61}}
    access.resource.balance_jobs.create(
        document=dict(format_level(level)), total=240, state="done", report={"settings": [solo]}
    )
    said = client.get(f"/workshop/{key}/trial/").json()
    assert "checks" not in said
    assert said["sentence"].startswith("Bots played it 240 times alone: the median is 61 points")
    paid = {"do": "points", "of": "gem", "colour": "yellow", "points": 41}
    assert send(client, f"/workshop/{key}/", paid).status_code == 200
    said = client.get(f"/workshop/{key}/trial/").json()
    assert "checks" in said, "the report was about another level"
    assert "240" not in said["sentence"]


def test_incomplete_bought_and_viewed_levels_have_no_trial(client: Client) -> None:
    open_ = begin(client, "invent")
    bought = ready(client)
    assert client.get(f"{open_}trial/").status_code == 204
    assert client.get(f"{bought}trial/").status_code == 204
    key = store.create(RICH)
    looking = share_url(client, f"/workshop/{key}/")
    assert client.get(f"{looking}/trial/".replace("//", "/")).status_code == 403
