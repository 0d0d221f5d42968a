"""Catalogues in locale/: complete, up to date with the source, and compiled."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

CHECKOUT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted((CHECKOUT / "locale").glob("*/LC_MESSAGES/django.po"))
KEYWORDS = DEFAULT_KEYWORDS | {
    f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext")
}

every_catalogue = pytest.mark.parametrize("po", CATALOGUES, ids=lambda po: po.parts[-3])


@pytest.fixture(scope="module")
def source() -> Catalog:
    """Return all texts that code and templates mark for translation, found without gettext."""
    texts = Catalog()
    for folder in ("dizzle_site", "sheets", "templates"):
        for path in (CHECKOUT / folder).rglob("*.*"):
            if path.suffix not in {".html", ".py"}:
                continue
            code = path.read_text("utf-8")
            if path.suffix == ".html":
                # Python's tokenizer does not accept the indentation that `templatize` keeps.
                code = "\n".join(line.lstrip() for line in templatize(code).split("\n"))
            for _line, text, _comments, context in extract(
                "python", BytesIO(code.encode()), keywords=KEYWORDS
            ):
                texts.add(text, context=context)
    return texts


def read(po: Path) -> Catalog:
    with po.open("rb") as file:
        return read_po(file, locale=po.parts[-3], abort_invalid=True)


def keys(catalogue: Catalog) -> set[tuple[object, str | None]]:
    return {(message.id, message.context) for message in catalogue if message.id}


def forms(text: Any) -> tuple[str, ...]:
    """Return the singular and the plural forms of a text."""
    return (text,) if isinstance(text, str) else tuple(text)


def parts(text: str) -> set[str]:
    """Return the placeholders and the tags of a text."""
    return set(re.findall(r"%\(\w+\)\w|%[\w%]|\{\w*\}|<[^>]*>", text))


def test_every_language_but_that_of_the_source_has_its_catalogue() -> None:
    languages = {to_locale(code) for code, _name in settings.LANGUAGES}
    found = {po.parts[-3] for po in CATALOGUES}
    assert found == languages - {settings.LANGUAGE_CODE}


@every_catalogue
def test_catalogue_has_the_texts_of_the_source(po: Path, source: Catalog) -> None:
    catalogue = read(po)
    assert keys(source) - keys(catalogue) == set(), "run `make messages` and translate"
    assert keys(catalogue) - keys(source) == set(), "run `make messages`"


@every_catalogue
def test_every_text_is_translated(po: Path) -> None:
    catalogue = read(po)
    to_do = [message.id for message in catalogue if message.fuzzy or not all(forms(message.string))]
    assert to_do == [], f"translate in {po}"


@every_catalogue
def test_translations_keep_placeholders_and_tags(po: Path) -> None:
    """Only the first plural form, such as "one pass", can omit some of them."""
    catalogue = read(po)
    assert [(message.id, *faults) for message, faults in catalogue.check()] == []
    wrong = []
    for message in catalogue:
        source, said = forms(message.id), forms(message.string)
        if not message.id or not all(said):
            continue
        kept = parts(source[-1])
        if any(parts(form) != kept for form in said[1:] or said) or not parts(said[0]) <= kept:
            wrong.append((source[-1], *said))
    assert wrong == [], f"write the same %(…)s, {{…}} and <…> as in the English text in {po}"


def compiled(mo: BinaryIO) -> dict[tuple[object, ...], tuple[str, ...]]:
    """Return what a compiled catalogue translates; the header can differ."""
    return {(m.context, forms(m.id)): forms(m.string) for m in read_mo(mo) if m.id}


@every_catalogue
def test_compiled_catalogue_is_up_to_date(po: Path) -> None:
    expected = BytesIO()
    write_mo(expected, read(po))
    expected.seek(0)
    with po.with_suffix(".mo").open("rb") as committed:
        changed = compiled(committed).items() ^ compiled(expected).items()
    assert {text for text, _said in changed} == set(), "run `make messages`"
