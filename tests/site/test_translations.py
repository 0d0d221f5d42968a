"""Is everything said in every language, too?"""

import os
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.utils.translation import to_locale

from dizzle_site.translations import (
    begin_catalogs,
    compile_translations,
    find_faults,
    gather_texts,
    read_catalog,
    update_catalogs,
)

CATALOGS = sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po"))
every_catalog = pytest.mark.parametrize("po", CATALOGS, ids=lambda po: po.parts[-3])
TEMPLATE = """{% load i18n %}
    {% translate "Good evening" %} <p>{% blocktranslate count n=n %}one die{% plural %}{{ n }} dice
    {% endblocktranslate %}</p>{% include "x.html" with title=_("Title") %}
        {% translate "Roll" context "verb" %} it's {# Translators: on a button #}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for folder in ("dizzle_site", "sheets", "templates", "locale/de/LC_MESSAGES"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE, "utf-8")
    (tmp_path / "sheets" / "texts.py").write_text('A = gettext_lazy("A sentence")\n', "utf-8")
    return tmp_path


def test_every_language_but_that_of_the_source_has_its_file() -> None:
    languages = {to_locale(code) for code, _name in settings.LANGUAGES}
    found = {po.parts[-3] for po in CATALOGS}
    assert found == languages - {settings.LANGUAGE_CODE}, "settings.LANGUAGES, then `make messages`"


@pytest.fixture(scope="module")
def texts() -> Catalog:
    """All texts of the site."""
    return gather_texts(settings.BASE_DIR)


@every_catalog
def test_every_text_is_translated(po: Path, texts: Catalog) -> None:
    faults = list(find_faults(texts, read_catalog(po)))
    assert not faults, "\n".join(["run `make messages` and translate:", *faults])


@every_catalog
def test_file_holds_no_text_that_nobody_uses(po: Path, texts: Catalog) -> None:
    assert _keys(read_catalog(po)) - _keys(texts) == set(), "run `make messages`"


def test_texts_are_found_in_templates_and_code(checkout: Path) -> None:
    assert _keys(gather_texts(checkout)) == {
        ("", None),
        ("Good evening", None),
        (("one die", "%(n)s dice\n    "), None),
        ("Title", None),
        ("Roll", "verb"),
        ("A sentence", None),
    }


@pytest.mark.parametrize(
    ("german", "fault"),
    [
        ("Guten Abend", None),
        ("", "not translated"),
        ("Guten Abend %(name)s", "other placeholders"),
        ("Guten Abend {name}", "other placeholders"),
    ],
)
def test_fault_is_found(german: str, fault: str | None) -> None:
    texts, translated = Catalog(), Catalog(locale="de")
    texts.add("Good evening")
    translated.add("Good evening", german)
    faults = list(find_faults(texts, translated))
    assert [line.split(":")[0] for line in faults] == ([fault] if fault else [])


def test_missing_and_unsure_texts_are_found() -> None:
    texts, translated = Catalog(), Catalog(locale="de")
    texts.add("Good evening")
    assert list(find_faults(texts, translated)) == ["missing: 'Good evening'"]
    translated.add("Good evening", "Guten Abend", flags=["fuzzy"])
    assert list(find_faults(texts, translated)) == ["fuzzy: 'Good evening'"]


def test_update_keeps_translations_and_changes_nothing_twice(checkout: Path) -> None:
    po = checkout / "locale" / "de" / "LC_MESSAGES" / "django.po"
    po.write_text('msgid ""\nmsgstr ""\n\nmsgid "Title"\nmsgstr "Titel"\n', "utf-8")
    assert update_catalogs(checkout, checkout / "locale") == [po]
    assert read_catalog(po)["Title"].string == "Titel"
    assert update_catalogs(checkout, checkout / "locale") == []


def test_new_language_gets_a_file_with_every_text(checkout: Path) -> None:
    begin_catalogs(checkout / "locale", ["de", "pt-br"])
    po = checkout / "locale" / "pt_BR" / "LC_MESSAGES" / "django.po"
    assert po in update_catalogs(checkout, checkout / "locale")
    assert _keys(gather_texts(checkout)) == _keys(read_catalog(po)) | {("", None)}
    po.write_text('msgid "Title"\nmsgstr "Título"\n', "utf-8")
    begin_catalogs(checkout / "locale", ["de", "pt-br"])
    assert "Título" in po.read_text("utf-8")


def test_compiling_happens_once_for_each_change(checkout: Path) -> None:
    po = checkout / "locale" / "de" / "LC_MESSAGES" / "django.po"
    po.write_text('msgid ""\nmsgstr ""\n\nmsgid "Title"\nmsgstr "Titel"\n', "utf-8")
    mo = po.with_suffix(".mo")
    assert compile_translations(checkout / "locale") == [mo]
    assert compile_translations(checkout / "locale") == []
    os.utime(po, ns=(1, 1))
    assert compile_translations(checkout / "locale") == [mo]


def _keys(catalog: Catalog) -> set[tuple[object, str | None]]:
    return {(text.id, text.context) for text in catalog}
