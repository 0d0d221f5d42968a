"""One player's sheet: taps, undo and redo, acts of the script, other devices, access."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.http.rate_limits import SAVES
from sheets.models import Mark, Scoring
from tests.score_levels import GARDEN, RAILS, VOLCANO
from tests.scoring.scoring_pages import begin, share_url, state, tap

pytestmark = pytest.mark.django_db


def marks(client: Client, url: str, number: int = 1) -> dict[str, str]:
    return state(client, url, number)["marks"]


def test_tap_crosses_and_tap_again_opens(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "c2")
    tap(client, url, "b1")
    assert marks(client, url) == {"c2": "cross"}


def test_bomb_goes_from_cross_to_exploded_to_open(client: Client) -> None:
    url = begin(client, GARDEN)
    seen = []
    for _ in range(3):
        tap(client, url, "c1")
        seen.append(marks(client, url).get("c1", ""))
    assert seen == ["cross", "exploded", ""]


def test_bomb_never_explodes_in_a_solo_game(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "Ana"})
    tap(client, url, "c1", "c1")
    assert marks(client, url) == {}


def test_lava_has_its_own_pen(client: Client) -> None:
    url = begin(client, VOLCANO)
    tap(client, url, "b1", "b2", pen="lava")
    tap(client, url, "b2", pen="lava")
    tap(client, url, "c2")
    assert marks(client, url) == {"b1": "lava", "b2": "exploded-lava", "c2": "cross"}
    tap(client, url, "b1")
    assert marks(client, url)["b1"] == "cross"


def test_lava_does_not_flow_over_a_cross(client: Client) -> None:
    url = begin(client, VOLCANO)
    tap(client, url, "b1", "b2")
    for at in ("b1", "b2"):
        response = client.post(f"{url}1/mark/", {"at": at, "pen": "lava"})
        assert response.status_code == 409
        page = response.content.decode()
        assert "Take it away first" in page
        assert 'name="pen" value="lava"' in page
    assert marks(client, url) == {"b1": "cross", "b2": "cross"}


def test_without_script_the_lava_pen_stays_selected(client: Client) -> None:
    url = begin(client, VOLCANO)
    response = client.post(f"{url}1/mark/", {"at": "b1", "pen": "lava"})
    assert response.headers["Location"] == f"{url}1/?pen=lava#sheet"
    assert 'name="pen" value="lava"' in client.get(f"{url}1/?pen=lava").content.decode()


def test_lava_pen_draws_crosses_without_a_volcano(client: Client) -> None:
    url = begin(client, GARDEN)
    assert 'name="pen" value="lava"' not in client.get(f"{url}1/?pen=lava").content.decode()
    tap(client, url, "b1", pen="lava")
    assert marks(client, url) == {"b1": "cross"}


def test_rail_level_asks_which_track(client: Client) -> None:
    url = begin(client, RAILS)
    response = client.post(f"{url}1/mark/", {"at": "b1"})
    assert response.headers["Location"] == f"{url}1/?at=b1#pieces"
    page = client.get(f"{url}1/?at=b1").content.decode()
    pieces = re.findall(r'class="piece" name="value" value="(\w\w)"', page)
    # Only a1's printed curve reaches b1, over b1's left edge; nothing is above b1.
    assert set(pieces[:2]) == {"EW", "SW"}
    assert pieces[2:4] == ["ES", "NW"]
    assert set(pieces[4:]) == {"NS", "NE"}
    client.post(f"{url}1/mark/", {"at": "b1", "value": "SW"})
    assert marks(client, url) == {"b1": "SW"}
    client.post(f"{url}1/mark/", {"at": "b1", "value": ""})
    assert marks(client, url) == {}


def test_malformed_taps_change_nothing(client: Client) -> None:
    cases: list[dict[str, str]] = [
        {},
        {"at": "z9"},
        {"at": "a1"},
        {"at": "b3"},
        {"at": "b1", "value": "NS"},
        {"at": "b1", "value": "exploded"},
        {"at": "b1", "value": "lava"},
        {"at": "b1", "pen": "crayon"},
        {"at": "b1", "value": "x" * 5000},
        {"at": "b1\0"},
        {"at": "flag red", "value": "7"},
        {"at": "flag blue", "value": "10"},
        {"at": "race 0", "value": "8"},
        {"at": "race 9", "value": "8"},
        {"at": "b1", "value": "cross", "request": "; drop table"},
    ]
    url = begin(client, GARDEN)
    assert [sent for sent in cases if client.post(f"{url}1/mark/", sent).status_code != 400] == []
    assert not Mark.objects.exists()


def test_changes_need_a_token(client: Client) -> None:
    url = begin(client, GARDEN)
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"{url}1/mark/", {"at": "b1"}).status_code == 403
    assert not Mark.objects.exists()


def test_wrong_key_is_not_found(client: Client) -> None:
    url = begin(client, GARDEN)
    wrong = url[:-2] + ("a" if url[-2] != "a" else "b") + "/"
    for path in ("", "1/", "1/state/", "players/", "delete/", "sheets.json", "1/sheet.png"):
        assert client.get(wrong + path).status_code == 404
    assert client.post(f"{wrong}1/mark/", {"at": "b1"}).status_code == 404


def test_sheet_that_is_not_there_is_not_found(client: Client) -> None:
    url = begin(client, GARDEN)
    assert client.get(f"{url}3/").status_code == 404
    assert client.post(f"{url}3/mark/", {"at": "b1"}).status_code == 404


def test_shared_link_shows_and_changes_nothing(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    shared = share_url(client, url)
    page = client.get(f"{shared}1/").content.decode()
    assert "b1, 5, yellow gem, crossed" in page
    assert 'name="at" value=' not in page
    assert client.post(f"{shared}1/mark/", {"at": "c2"}).status_code == 403
    assert client.post(f"{shared}1/undo/", {"do": "undo"}).status_code == 403
    assert client.get(f"{shared}players/").status_code == 403
    assert client.post(f"{shared}delete/").status_code == 403
    assert marks(client, url) == {"b1": "cross"}
    assert url.split("/")[2] not in page


def test_pages_are_kept_out_of_engines_caches_and_referrers(client: Client) -> None:
    response = client.get(begin(client, GARDEN) + "1/")
    assert response.headers["X-Robots-Tag"].startswith("noindex")
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in response.headers["Cache-Control"]


# Undo and redo ----------------------------------------------------------------------------------


def undo_or_redo(client: Client, url: str, do: str, number: int = 1) -> int:
    return client.post(f"{url}{number}/undo/", {"do": do}).status_code


def test_undo_and_redo_go_step_by_step(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "c1")
    undo_or_redo(client, url, "undo")
    assert marks(client, url) == {"b1": "cross"}
    undo_or_redo(client, url, "undo")
    assert marks(client, url) == {}
    undo_or_redo(client, url, "redo")
    assert marks(client, url) == {"b1": "cross"}
    undo_or_redo(client, url, "redo")
    assert marks(client, url) == {"b1": "cross", "c1": "cross"}


def test_new_tap_discards_the_redo_stack(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    undo_or_redo(client, url, "undo")
    tap(client, url, "c2")
    assert undo_or_redo(client, url, "redo") == 409
    assert marks(client, url) == {"c2": "cross"}


def test_undo_without_changes_is_refused(client: Client) -> None:
    url = begin(client, GARDEN)
    response = client.post(f"{url}1/undo/", {"do": "undo"})
    assert response.status_code == 409
    assert "nothing more to undo or redo" in response.content.decode()
    assert client.post(f"{url}1/undo/", {"do": "everything"}).status_code == 400


def test_each_device_undoes_its_own_acts(client: Client) -> None:
    url = begin(client, GARDEN)
    other = Client()
    tap(client, url, "b1")
    tap(other, url, "c2")
    undo_or_redo(client, url, "undo")
    assert marks(client, url) == {"c2": "cross"}


def test_undo_keeps_a_place_that_another_device_has_changed(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "c1")
    tap(Client(), url, "c1")
    response = client.post(f"{url}1/undo/", {"do": "undo"})
    assert response.status_code == 409
    assert "Somebody else has changed" in response.content.decode()
    assert marks(client, url) == {"c1": "exploded"}
    assert undo_or_redo(client, url, "undo") == 409


def test_circled_number_goes_and_comes_back_with_its_flag(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "d1")
    client.post(f"{url}1/mark/", {"at": "flag red", "value": "6"})
    tap(client, url, "d1")
    assert marks(client, url) == {}
    undo_or_redo(client, url, "undo")
    assert marks(client, url) == {"d1": "cross", "flag red": "6"}


# Acts of the script -------------------------------------------------------------------------------


def send(client: Client, url: str, *acts: dict[str, object], shown: int = 1) -> HttpResponse:
    """Send acts as the script does; each gets a new id unless it has one."""
    entries = [{"id": f"{i:08}", "number": 1, "do": "mark"} | act for i, act in enumerate(acts)]
    return client.post(
        f"{url}acts/", {"acts": entries, "shown": shown}, content_type="application/json"
    )


def test_acts_apply_in_their_order(client: Client) -> None:
    url = begin(client, GARDEN)
    answer = send(
        client,
        url,
        {"at": "b1", "value": "cross"},
        {"at": "c1", "value": "exploded"},
        {"do": "undo"},
        {"number": 2, "at": "c2", "value": "cross"},
    )
    assert answer.status_code == 200
    assert answer.json()["marks"] == {"b1": "cross"}
    assert answer.json()["redo"] == [[["c1", "", "exploded"]]]
    assert marks(client, url, 2) == {"c2": "cross"}


def test_repeated_act_applies_once(client: Client) -> None:
    url = begin(client, GARDEN)
    send(client, url, {"at": "c1", "value": "cross"})
    tap(Client(), url, "c1")
    again = send(client, url, {"at": "c1", "value": "cross"}).json()
    assert again["marks"] == {"c1": "exploded"}
    assert len(again["undo"]) == 1


def test_form_sent_twice_applies_once(client: Client) -> None:
    url = begin(client, GARDEN)
    for _ in range(2):
        tap(client, url, "b1", request="from-one-page")
    assert marks(client, url) == {"b1": "cross"}


def test_malformed_acts_change_nothing(client: Client) -> None:
    bodies = [
        b"",
        b"[]",
        b"{}",
        b'{"acts": []}',
        b'{"acts": [{"id": "12345678", "number": 1, "do": "win"}]}',
        b'{"acts": [{"id": "1", "number": 1, "do": "undo"}]}',
        b'{"acts": [{"id": "12345678", "number": 0, "do": "undo"}]}',
        b'{"acts": [{"id": "12345678", "number": 1, "do": "mark", "at": "b1", "value": "cross"},'
        b' {"id": "12345679", "number": 1, "do": "mark", "at": "z9", "value": "cross"}]}',
        b'{"acts": [' + b"[" * 5000,
        b"\xff",
    ]
    url = begin(client, GARDEN)
    found = {
        body[:80]: client.post(f"{url}acts/", body, content_type="application/json").status_code
        for body in bodies
    }
    assert {body: status for body, status in found.items() if status != 400} == {}
    assert not Mark.objects.exists()


def test_too_many_acts_at_once_are_refused(client: Client) -> None:
    url = begin(client, GARDEN)
    assert send(client, url, *[{"at": "b1", "value": "cross"}] * 101).status_code == 400


def test_acts_need_the_right_to_write(client: Client) -> None:
    url = begin(client, GARDEN)
    act = {"at": "b1", "value": "cross"}
    assert send(client, share_url(client, url), act).status_code == 403
    assert send(Client(enforce_csrf_checks=True), url, act).status_code == 403
    assert send(client, "/score/" + "x" * 32 + "/", act).status_code == 404
    assert client.get(f"{url}acts/").status_code == 302
    assert not Mark.objects.exists()


def test_forms_that_store_have_a_rate_limit(client: Client) -> None:
    forms = {
        "1/mark/": {"at": "b1"},
        "1/undo/": {"do": "undo"},
        "1/settle/": {"mark": "c4=exploded"},
        "1/blank/": {},
        "players/": {"name-1": "Eve"},
        "players/2/remove/": {},
        "solo/": {"solo": "yes"},
        "photos/take/": {},
    }
    url = begin(client, GARDEN)
    tap(client, url, "d1")
    revision = Scoring.objects.get().revision
    while SAVES.hit("127.0.0.1"):
        pass
    found = {path: client.post(f"{url}{path}", sent).status_code for path, sent in forms.items()}
    assert found == dict.fromkeys(forms, 429)
    assert send(client, url, {"at": "b1", "value": "cross"}).status_code == 429
    assert Scoring.objects.get().revision == revision
    assert client.get(f"{url}1/").status_code == 200


def test_state_is_empty_until_something_changes(client: Client) -> None:
    url = begin(client, GARDEN)
    revision = state(client, url)["revision"]
    assert client.get(f"{url}1/state/", {"revision": revision}).status_code == 204
    tap(client, url, "b1")
    answer = client.get(f"{url}1/state/", {"revision": revision})
    assert answer.json()["marks"] == {"b1": "cross"}
    assert answer.json()["total"] == 2


def test_state_says_that_a_sheet_was_removed(client: Client) -> None:
    url = begin(client, GARDEN)
    client.post(f"{url}players/", {"remove": "2"})
    answer = send(client, url, {"number": 2, "at": "b1", "value": "cross"}, shown=2)
    assert answer.status_code == 409
    assert answer.json() == {"refusal": "Somebody has removed this sheet."}
    assert client.get(f"{url}2/state/", {"revision": 0}).status_code == 404


def test_two_devices_do_not_overwrite_each_other(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1")
    tap(Client(), url, "c2")
    tap(client, url, "a2")
    assert marks(client, url) == {"b1": "cross", "c2": "cross", "a2": "cross"}


# Texts of the page --------------------------------------------------------------------------------


def test_fields_say_what_they_are(client: Client) -> None:
    url = begin(client, GARDEN)
    page = client.get(f"{url}1/").content.decode()
    assert 'aria-label="a1, 3, printed cross"' in page
    assert 'aria-label="a2, 2, red key, open"' in page
    assert 'aria-label="c4, planet, open"' in page


def test_line_of_the_column_lights_its_fields_without_script(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "a2")
    page = client.get(f"{url}1/", {"light": "lines row 2"}).content.decode()
    assert re.search(r'class="art-field[^"]* lit" data-field="a2"', page)
    assert re.search(r'class="art-field[^"]* missing" data-field="b2"', page)
    assert not re.search(r'(lit|missing)" data-field="a3"', page)
    assert page.count('aria-pressed="true"') == 1
    assert re.search(r"Lit up: a2\.\s+Missing: b2", page)


def test_incomplete_line_shows_its_points(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "a2")
    page = client.get(f"{url}1/").content.decode()
    assert "3 missing for 5 points" in page
    assert "2 missing for 6 points" in page
    assert "2 missing for 10 points" in page
    assert re.search(r"2 missing</span>", page)  # the number of a race is not known in advance


def test_line_that_a_bomb_or_lava_has_spoilt_says_that_it_cannot_be_completed(
    client: Client,
) -> None:
    grid = ["3x  5Fr 1B  2Fr", "2   -V  6   3 "]
    lines = [{"row": 1, "points": 5}, {"row": 2, "points": 6}]
    level = {**GARDEN, "grid": grid, "lines": lines, "areas": []}
    marked = {"player": "Ana", "crosses": ["a2"], "exploded": ["c1"], "lava": ["b1", "d1", "c2"]}
    url = begin(client, level, marked, {"player": "Ben"})
    page = client.get(f"{url}1/").content.decode()
    assert "cannot be completed: b1, c1 and d1<" in page
    assert "cannot be completed: c2<" in page
    assert "out of reach<" in page
    assert "missing for" not in page


def asked(page: str) -> list[str]:
    """Return the questions above the sheet's bar as pairs of sheet number and place."""
    part = page[page.index('id="_ask"') : page.index("</dialog>")]
    return re.findall(r'data-number="(\d)".*?name="at" value="([^"]+)"', part, re.DOTALL)


def test_flag_asks_for_its_number_when_two_have_reached_it(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "d1")
    page = client.get(f"{url}1/").content.decode()
    assert "Red flag: which number is circled?" in page
    assert asked(page) == []
    assert not re.search(r'id="ask"[^>]* open', page)
    tap(client, url, "d1", number=2)
    # The first player's 10 was only assumed: both are asked, the sheet's own player first.
    page = client.get(f"{url}2/").content.decode()
    assert asked(page) == [("2", "flag red"), ("1", "flag red")]
    assert re.search(r'id="ask"[^>]* open', page)
    assert page.count("A circled number is missing") == 2
    client.post(f"{url}1/mark/", {"at": "flag red", "value": "10"})
    page = client.get(f"{url}2/").content.decode()
    assert asked(page) == [("2", "flag red")]
    assert re.search(r'value="10"[^>]*>10\s*<small><bdi translate="no">Ana', page)
    # Only circled numbers are shown as chosen; the suggestion is a separate button.
    assert re.search(r'suggested" name="value" value="6"[^>]*>\s*Probably 6: OK<', page)
    chosen = r'value="(-?\d+)"[^>]*aria-pressed="true"'
    assert re.findall(chosen, page) == []
    page = client.get(f"{url}1/").content.decode()
    assert re.findall(chosen, page) == ["10"]
    assert asked(page) == [("2", "flag red")]
    assert not re.search(r'id="ask"[^>]* open', page)
    assert state(client, url)["total"] == 10
    assert state(client, url, 2)["total"] == 0
    client.post(f"{url}2/mark/", {"at": "flag red", "value": "6"})
    assert asked(client.get(f"{url}2/").content.decode()) == []


def test_rail_field_takes_the_only_piece_that_fits_at_once(client: Client) -> None:
    url = begin(client, RAILS)
    assert client.post(f"{url}1/mark/", {"at": "c3"}).headers["Location"].endswith("#sheet")
    assert marks(client, url) == {"c3": "NW"}
    # A tap on an existing piece asks, as it does if several fit.
    for at in ("c3", "b2"):
        asked = client.post(f"{url}1/mark/", {"at": at}).headers["Location"]
        assert asked.endswith(f"?at={at}#pieces")


def test_read_only_link_shows_no_questions(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "d1")
    tap(client, url, "d1", number=2)
    assert "which number is circled?" in client.get(f"{url}1/").content.decode()
    client.post(f"{url}1/mark/", {"at": "flag red", "value": "10"})
    for number in (1, 2):
        page = client.get(f"{share_url(client, url)}{number}/").content.decode()
        assert "which number is circled?" not in page
        assert 'class="circle' not in page


def test_name_is_shown_as_text(client: Client) -> None:
    url = begin(client, GARDEN, {"player": "<b>Ana</b>"}, {"player": '"onload="'})
    page = client.get(f"{url}1/").content.decode()
    assert "<b>Ana" not in page
    assert '"onload="' not in page
