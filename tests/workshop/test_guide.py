"""Steps of the workshop's guide for a sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from sheets.workshop.guide import FEATURES, PHOTO, STEPS, features_of, is_needed, steps_by_tool
from sheets.workshop.sentences import TOOLS
from sheets.workshop.views.editor import SCRIPTS
from tests.workshop.test_pages import begin, send, stored

pytestmark = pytest.mark.django_db

USUAL = [
    *("size", "numbers", "symbols", "crosses", "arrows", "areas", "points", "counts"),
    *("check", "done"),
]


def steps(client: Client, url: str, step: str = "size") -> list[str]:
    """Return the steps that a page of the guide lists."""
    page = client.get(f"{url}guide/{step}/").content.decode()
    item = r'<li data-needs="\w*"(?: data-left-out)?(?: data-off-rails)?>'
    shown = re.findall(rf'{item}\s*<a href="[^"]*/guide/(\w+)/"', page)
    assert f"of {len(shown)}</span>" in page
    return shown


def test_sheet_without_ticked_features_has_the_usual_steps(client: Client) -> None:
    assert steps(client, begin(client)) == USUAL


@pytest.mark.parametrize(
    ("feature", "step"),
    [("volcano", "volcano"), ("shifts", "shifts"), ("pairs", "pairs"), ("races", "races")],
)
def test_each_ticked_feature_has_a_step(client: Client, feature: str, step: str) -> None:
    url = begin(client, sheet_has=[feature])
    assert sorted({*steps(client, url)} - {*USUAL}) == [step]
    send(client, url, {"do": "sheet-has", "what": []})
    assert steps(client, url) == USUAL


def test_tracks_take_the_place_of_crosses_and_leave_rows_straight(client: Client) -> None:
    url = begin(client, sheet_has=["tracks", "shifts"])
    assert stored(url).document["marks"] == "tracks"
    shown = steps(client, url)
    assert "tracks" in shown
    assert not {"crosses", "shifts"} & {*shown}


@pytest.mark.parametrize(
    ("features", "asked", "shown"), [([], "tracks", "crosses"), (["tracks"], "crosses", "tracks")]
)
def test_printed_marks_are_those_that_the_players_draw(
    client: Client, features: list[str], asked: str, shown: str
) -> None:
    url = begin(client, sheet_has=features)
    assert client.get(f"{url}guide/{asked}/").headers["Location"] == f"{url}guide/{shown}/"
    assert client.get(f"{url}guide/{shown}/").status_code == 200


@pytest.mark.parametrize(
    ("more", "feature"),
    [
        ({"grid": ["-V 1"]}, "volcano"),
        ({"marks": "tracks"}, "tracks"),
        ({"shifts": [0.5]}, "shifts"),
        ({"walls": [["a1", "b1"]]}, "pairs"),
        ({"links": [["a1", "b1"]]}, "pairs"),
        ({"areas": [{"fields": ["a1"], "race": [3, 1]}]}, "races"),
    ],
)
def test_features_on_the_sheet_need_no_tick(more: dict[str, Any], feature: str) -> None:
    assert features_of({"grid": ["1 2"], **more}) == {feature}
    assert any(is_needed(step, {feature}) and step.needs == feature for step in STEPS.values())


def test_requested_step_is_shown(client: Client) -> None:
    url = begin(client)
    assert steps(client, url, "pairs") == [*USUAL[:4], "pairs", *USUAL[4:]]


@pytest.mark.parametrize(
    ("has", "wanted"),
    [
        ((), {"crosses": "crosses", "symbols": "symbols", "areas": "areas", "names": "size"}),
        (("tracks",), {"crosses": "tracks", "areas": "areas"}),
        (("races", PHOTO), {"crosses": "crosses", "areas": "areas", "gather": "gather"}),
    ],
)
def test_each_tool_is_in_a_step(has: tuple[str, ...], wanted: dict[str, str]) -> None:
    names = [name for name, step in STEPS.items() if is_needed(step, has)]
    assert steps_by_tool(names, has).items() >= wanted.items()


def test_ticked_features_are_not_part_of_the_undo_history(client: Client) -> None:
    url = begin(client)
    before = stored(url)
    state = send(client, url, {"do": "sheet-has", "what": ["races", "volcano"]}).json()
    assert not state["hasUndo"]
    assert state["revision"] == before.revision + 1
    assert stored(url).sheet_has == ["races", "volcano"]


@pytest.mark.parametrize("what", [["dragons"], "volcano", ["volcano"] * 6])
def test_unknown_features_are_refused(client: Client, what: Any) -> None:
    url = begin(client)
    assert send(client, url, {"do": "sheet-has", "what": what}).status_code == 400
    assert stored(url).sheet_has == []


def test_form_offers_every_feature_for_bought_sheets_alone(client: Client) -> None:
    page = client.get("/workshop/own/").content.decode()
    assert re.findall(r'name="sheet_has" value="(\w+)"', page) == [*FEATURES]
    assert "sheet_has" not in client.get("/workshop/invent/").content.decode()
    sent = {"name": "Oma", "columns": 99, "rows": 2, "sheet_has": ["races"]}
    page = client.post("/workshop/own/", sent).content.decode()
    assert 'value="races" checked' in page


def test_every_tool_has_a_script_that_exists() -> None:
    tools = {*TOOLS, *(tool for step in STEPS.values() for tool in step.tools)}
    assert {tool for its_tools in SCRIPTS.values() for tool in its_tools} == tools
    for name, its_tools in SCRIPTS.items():
        script = Path(str(finders.find(f"sheets/workshop/{name}.js"))).read_text("utf-8")
        assert TOOLS.keys() & its_tools <= set(re.findall(r"\btools\.(\w+) = ", script)), name
