"""Every language of the settings on pages, in print, in commands and in documents.

`tests.site.test_one_more_language` runs these tests with an additional language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from sheets.documents.structure import read_level
from sheets.levels import find_level
from sheets.models import WorkshopLevel
from sheets.text.languages import (
    active_language,
    in_every_language,
    languages,
    languages_source_first,
)
from sheets.text.symbols import in_language
from sheets.workshop.acts import Text
from sheets.workshop.edits import apply_edit
from sheets.workshop.sentences import editor_words
from sheets.workshop.suggest.suggestion import TITLES, SuggestionRequest
from sheets.workshop.suggest.tuning import suggest
from tests.commands.conftest import Run
from tests.commands.conftest import run as run  # the fixture
from tests.score_levels import GARDEN
from tests.table_games import sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

LEVEL = "level-3"


@pytest.fixture(params=languages())
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Activate each language in turn."""
    with translation.override(request.param):
        yield request.param


@pytest.fixture
def client(language: str) -> Client:
    return Client(headers={"accept-language": language})


def test_pages_offer_it(client: Client, language: str) -> None:
    for code, name in languages().items():
        button = rf'<button name="language" value="{code}" lang="{code}"[^>]*>{name}</button>'
        assert re.search(button, client.get("/").text)
    stranger = Client()
    stranger.post("/i18n/setlang/", {"language": language, "next": "/"})
    assert f'<html lang="{language}">' in stranger.get("/").text


def test_pages_are_in_it(client: Client, language: str) -> None:
    home = client.get("/").text
    assert f'<html lang="{language}">' in home
    assert f">{_('Levels')}</a>" in home
    level = find_level(LEVEL)
    page = client.get(f"/levels/{LEVEL}/").text
    assert f'<html lang="{language}">' in page
    assert f'<h1 translate="no">{in_language(level.name)}</h1>' in page


def test_missing_text_is_shown_in_the_language_of_the_source(language: str) -> None:
    assert active_language() == language
    assert in_language({language: "here", "xx": "there"}) == "here"
    assert in_language({"xx": "there", settings.LANGUAGE_CODE: "source"}) == "source"
    assert in_language({"xx": "there", "": "all"}) == "all"


def test_sheets_are_printed_in_it(client: Client, language: str) -> None:
    page = client.get("/print/").text
    assert _("Language of the sheets") in page
    assert f'<option value="{language}" lang="{language}" selected>' in page
    for code, name in languages().items():
        assert re.search(rf'<option value="{code}"[^>]*>{name}</option>', page)
    for asked in ("", f"&lang={language}"):
        file = client.get(f"/print/sheets.pdf?level={LEVEL}&paper=a4{asked}")
        assert_printed(file.content, language)


def test_command_prints_in_it(run: Run, language: str, tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    assert run("print", LEVEL, "-o", file, "--lang", language).status == 0
    assert_printed(file.read_bytes(), language)


def test_report_is_written_in_it(run: Run, language: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    asked = ("--players", "1", "--games", "1", "--html", file, "--language", language)
    assert run("simulate", LEVEL, *asked).status == 0
    assert f'<html lang="{language}">' in file.read_text("utf-8")


def assert_printed(file: bytes, language: str) -> None:
    document = pypdf.PdfReader(BytesIO(file))
    assert document.trailer["/Root"]["/Lang"] == language
    text = document.pages[0].extract_text()
    assert in_language(find_level(LEVEL).name) in text
    assert _("Rounds") in text


def test_table_is_in_it(language: str) -> None:
    party = sit_down(level=GARDEN)
    page = client_of(party, 0, language).get(f"/table/{party.code}/").text
    assert f'<html lang="{language}">' in page
    assert _("Not connected. Trying again …") in page


def test_own_level_has_texts_in_it(client: Client, language: str) -> None:
    begun = client.post("/workshop/invent/", {"name": "Oma", "columns": 3, "rows": 2})
    url = begun.headers["Location"]
    level = WorkshopLevel.objects.get()
    assert level.document["name"] == dict.fromkeys(languages(), "Oma")
    page = client.get(url).text
    for code in languages():
        label = _("Name in %(language)s") % {"language": get_language_info(code)["name_translated"]}
        assert label in unescape(page)
        assert f'data-text="name" data-language="{code}"' in page
        assert f'data-text="about" data-language="{code}"' in page
    acts = [
        {"do": "text", "of": of, "language": language, "text": "Opa"}
        for of in ("name", "about", "gem yellow")
    ]
    answer = client.post(f"{url}acts/", json.dumps({"acts": acts}), "application/json")
    assert answer.status_code == 200
    level.refresh_from_db()
    assert level.document["name"] == dict.fromkeys(languages(), "Oma") | {language: "Opa"}
    assert level.document["about"] == {language: "Opa"}
    assert level.document["labels"] == {"gem yellow": {language: "Opa"}}


def test_text_in_all_languages_becomes_one_in_each(language: str) -> None:
    draft = {**GARDEN, "name": "Garden"}
    for other in languages():
        edited = apply_edit(draft, Text(of="name", language=other, text="Tuin"))
        assert edited["name"][language] == ("Tuin" if other == language else "Garden")


def test_script_of_the_editor_knows_it(language: str) -> None:
    assert dict(editor_words()["languages"]) == languages()
    assert next(iter(languages_source_first())) == settings.LANGUAGE_CODE


def test_document_may_be_written_in_it(client: Client, language: str) -> None:
    texts = {"name": {language: "Tuin"}, "about": {language: "Groen."}}
    document = {**GARDEN, **texts, "labels": {"heap": {language: "Hoop"}}}
    level = read_level(json.dumps(document).encode())
    assert in_language(level.name) == "Tuin"
    file = SimpleUploadedFile("level.json", json.dumps(document).encode())
    page = client.post("/open/", {"document": file}, follow=True).text
    assert '<h1 translate="no">Tuin</h1>' in page
    assert "Groen." in page
    assert "Hoop" in page


@pytest.mark.usefixtures("few_trials")
def test_copies_and_suggestions_are_named_in_it(client: Client, language: str) -> None:
    client.post("/workshop/copy/", {"source": "level", "level": LEVEL})
    name = in_language(find_level(LEVEL).name)
    copied = WorkshopLevel.objects.get().document["name"]
    assert copied[language] == _("Copy of %(name)s") % {"name": name}
    wanted = SuggestionRequest(outline="ring", seed=4)
    assert suggest(wanted)["name"][language] == f"{in_every_language(TITLES['ring'])[language]} 4"
