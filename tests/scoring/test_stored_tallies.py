"""Stored tallies: result page, concurrent changes, sharing, deletion and pruning."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from sheets.http.rate_limits import SAVES
from sheets.models import Tally
from tests.page_text import unmarked
from tests.scoring.scoring_pages import BY_HTMX, details, ranking, revision
from tests.scoring.test_tally import PAD

pytestmark = pytest.mark.django_db

COUNTED = {"p0-name": "Ana", "p0-gem_red": "4", "p1-name": "Ben", "p1-gem_red": "1"}
"""Names and counts of two players."""


def keep(client: Client, **counted: str) -> str:
    """Store a tally and return the path of its result."""
    response = client.post("/tally/new/", PAD | COUNTED | counted)
    assert response.status_code == 302, response.content.decode()
    return response.headers["Location"]


def loaded_form(client: Client, url: str) -> dict[str, str]:
    """Return the form that the counting page sends without any changes."""
    page = client.get(f"{url}count/").content.decode()
    (was,) = re.findall(r'name="was" value="([^"]*)"', page)
    return json.loads(html.unescape(was)) | {"was": html.unescape(was)}


def shared(client: Client, url: str) -> str:
    page = client.get(url).content.decode()
    return re.search(r"data-share-url>http://testserver(/tally/[^<]+)<", page)[1]  # type: ignore[index]


def test_result_page_has_the_parts_of_that_of_paper_sheets(client: Client) -> None:
    url = keep(client)
    page = unmarked(client.get(url))
    assert "Ana wins." in page
    assert "<title>Ana wins · Tally · Dizzle Companion</title>" in page
    assert ranking(page) == ["1. Ana Winner 12", "2. Ben 3"]
    assert details(page) == "12 points, 9 ahead of Ben. Gems made the difference."
    assert (
        'Tally</strong> <span translate="no">Ana and Ben</span>' in client.get("/").content.decode()
    )
    assert "data-share-picture" in page
    picture = client.get(f"{url}result.png")
    assert picture.content.startswith(b"\x89PNG")
    paper = client.get(f"{url}result.pdf")
    assert paper.content.startswith(b"%PDF")
    assert "attachment" in paper.headers["Content-Disposition"]
    table = client.get(f"{url}scores.csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0][:2] == ["Player", "Gems"]
    assert [row[0] for row in rows[1:]] == ["Ana", "Ben"]
    assert rows[1][-2:] == ["12", "0"]


def test_a_player_can_have_nothing_to_count(client: Client) -> None:
    url = keep(client, **{"p1-gem_red": ""})
    assert '<bdi translate="no">Ben</bdi> is still to come' in client.get(url).content.decode()
    seen = shared(client, url)
    assert "blank/" not in client.get(seen).content.decode()
    assert client.post(f"{seen}2/blank/").status_code == 403
    page = client.get(url).content.decode()
    assert f'action="{url}2/blank/"' in page
    assert 'aria-label="There is nothing to count: Ben"' in page
    assert client.post(f"{url}2/blank/").headers["Location"] == url
    assert "Ana wins." in unmarked(client.get(url))
    # Player 1 has counts, and there is no player 7.
    for number in (1, 7):
        before = revision(client, url)
        assert client.post(f"{url}{number}/blank/").status_code == 302
        assert revision(client, url) == before
    assert client.get(f"{url}2/blank/").headers["Location"] == url


def test_read_only_link_changes_nothing(client: Client) -> None:
    url = keep(client)
    look = shared(client, url)
    page = unmarked(client.get(look))
    assert "Ana wins." in page
    assert "count/" not in page
    assert "again/" not in page
    assert client.get(f"{look}count/").status_code == 403
    for path in ("count/", "again/", "delete/"):
        assert client.post(f"{look}{path}", PAD).status_code == 403
    assert client.get("/tally/" + "x" * 32 + "/").status_code == 404
    assert client.get(url).headers["X-Robots-Tag"].startswith("noindex")


@pytest.mark.postgresql
def test_two_phones_count_for_two_players_at_once(client: Client) -> None:
    url = keep(client)
    one, two = loaded_form(client, url), loaded_form(client, url)
    assert client.post(f"{url}count/", one | {"p0-gem_red": "5"}).status_code == 200
    page = client.post(f"{url}count/", two | {"p1-gem_red": "7", "p1-crosses": "3"})
    assert page.status_code == 200
    kept = Tally.objects.get().typed
    assert (kept["p0-gem_red"], kept["p1-gem_red"], kept["p1-crosses"]) == ("5", "7", "3")
    assert 'name="p0-gem_red" value="5"' in page.content.decode()
    # An emptied field is removed; the last write to a field wins.
    three = loaded_form(client, url)
    del three["p1-crosses"]
    client.post(f"{url}count/", three)
    assert "p1-crosses" not in Tally.objects.get().typed


def test_results_get_their_new_part_only_after_a_change(client: Client) -> None:
    url = keep(client)
    before = revision(client, url)
    news = f"{url}news/?revision={before}"
    client.post(f"{url}count/", loaded_form(client, url))
    assert revision(client, url) == before
    assert client.get(news, headers=BY_HTMX).status_code == 204
    client.post(f"{url}count/", loaded_form(client, url) | {"p0-gem_red": "6"})
    assert revision(client, url) > before
    part = client.get(news, headers=BY_HTMX).content.decode()
    assert "<html" not in part
    assert part.startswith("<title>Ana wins ")
    assert part.split('<div id="_results"')[1].strip()[:80] in client.get(url).content.decode()


def test_form_gets_what_other_phones_have_changed(client: Client) -> None:
    url = keep(client)
    news = f"{url}count/news/?revision={revision(client, url)}"
    assert client.get(news, headers=BY_HTMX).status_code == 204
    client.post(f"{url}count/", loaded_form(client, url) | {"p0-gem_red": "6"})
    part = client.get(news, headers=BY_HTMX).content.decode()
    assert "<html" not in part
    assert 'name="p0-gem_red" value="6"' in part
    assert client.get(news.replace(url, shared(client, url))).status_code == 403


def test_form_without_script_leads_back_to_the_result(client: Client) -> None:
    url = keep(client)
    sent = loaded_form(client, url) | {"p1-gem_red": "9", "then": "result"}
    assert client.post(f"{url}count/", sent).headers["Location"] == url
    assert "Ben wins." in unmarked(client.get(url))


def test_invalid_input_is_not_stored(client: Client) -> None:
    assert client.post("/tally/new/", PAD | {"p0-gem_red": "x"}).status_code == 422
    assert not Tally.objects.exists()
    url = keep(client)
    sent = loaded_form(client, url) | {"p0-gem_red": "x", "then": "result"}
    assert client.post(f"{url}count/", sent).status_code == 422
    assert Tally.objects.get().typed["p0-gem_red"] == "4"
    for was in ("", "[]", '{"a": 1}', "{" * 9000, "\udc80"):
        sent = loaded_form(client, url) | {"was": was.encode("utf-8", "replace").decode()}
        assert client.post(f"{url}count/", sent).status_code == 200


def test_unknown_fields_are_not_stored(client: Client) -> None:
    keep(client, **{"p7-gem_red": "1", "p0-dragons": "1", "x" * 30: "y"})
    assert all(re.fullmatch(r"(p[01]-)?[a-z_]+", name) for name in Tally.objects.get().typed)


def test_next_tally_has_the_same_players_and_pad(client: Client) -> None:
    url = keep(client)
    again = client.post(f"{url}again/").headers["Location"]
    page = client.get(again).content.decode()
    assert 'name="p0-name" value="Ana"' in page
    assert 'name="gem_red" value="3"' in page
    assert "Nothing counted yet." in page
    assert "Ana wins." in unmarked(client.get(url))


def test_examples_are_labelled_until_the_user_confirms_them(client: Client) -> None:
    page = client.get("/tally/").content.decode()
    assert page.count("<small>example</small>") >= 9
    typed = {"players": "2", "gem_orange": "3", "gem_red": "3", **COUNTED}
    page = client.post("/tally/", typed).content.decode()
    assert page.count("<small>example</small>") == 1
    assert "Some points are still examples" in page
    url = client.post("/tally/new/", typed).headers["Location"]
    page = client.get(url).content.decode()
    assert "Some points are still examples" in page
    (way,) = re.findall(r'href="([^"]+)#tally-pad"', page)
    assert 'id="tally-pad" open' in client.get(way).content.decode()
    assert 'id="tally-pad" open' not in client.get(f"{url}count/").content.decode()
    page = client.post("/tally/", typed | {"is_ours": "on"}).content.decode()
    assert "example" not in page.replace("examples_", "")


def test_deletion_asks_first_and_leaves_nothing(client: Client) -> None:
    url = keep(client)
    assert "cannot be undone" in client.get(f"{url}delete/").content.decode()
    assert client.post(f"{url}delete/", follow=True).status_code == 200
    assert not Tally.objects.exists()
    assert client.get(url).status_code == 404


def test_prune_removes_unused_tallies(client: Client) -> None:
    old, new = keep(client), keep(client)
    past = timezone.now() - timedelta(days=31)
    Tally.objects.filter(pk=Tally.objects.earliest("pk").pk).update(touched=past)
    out = StringIO()
    call_command("prune", "--days=30", stdout=out)
    assert "1 tallies" in out.getvalue()
    assert client.get(old).status_code == 404
    assert client.get(new).status_code == 200


@pytest.mark.parametrize("path", ["count/", "1/blank/"])
def test_counting_has_a_rate_limit_that_loses_no_counts(client: Client, path: str) -> None:
    url = keep(client)
    sent = loaded_form(client, url) | {"p1-gem_red": "9"}
    while SAVES.hit("127.0.0.1"):
        pass
    assert client.post(f"{url}{path}", sent).status_code == 429
    assert Tally.objects.get().typed["p1-gem_red"] == "1"
    assert client.get(f"{url}count/").status_code == 200
