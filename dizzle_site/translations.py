"""How do the translators' .po files become what Django reads, without gettext installed?

Babel does both ways: texts are gathered from the code and the templates into .po files
(`manage.py messages`), and .po files are compiled to .mo files when the server starts.
"""

import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
TRANSLATOR_COMMENT = "Translators"
# The files change when a text does, and only then.
FIXED_DATE = datetime(2026, 1, 1, tzinfo=UTC)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def compile_translations(locale_dir: Path) -> list[Path]:
    """Compile every .po file that changed since its .mo file was made; return the new .mo files.

    A .mo file carries the time stamp of the .po file it was made from.
    """
    compiled = []
    for po in sorted(locale_dir.glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        stamp = po.stat().st_mtime_ns
        if mo.exists() and mo.stat().st_mtime_ns == stamp:
            continue
        content = io.BytesIO()
        write_mo(content, read_catalog(po))
        _replace(mo, content.getvalue())
        os.utime(mo, ns=(stamp, stamp))
        compiled.append(mo)
    return compiled


def begin_catalogs(locale_dir: Path, languages: Iterable[str]) -> None:
    """Give every language that has no .po file an empty one; those of others stay."""
    for language in languages:
        po = locale_dir / to_locale(language) / "LC_MESSAGES" / "django.po"
        if not po.exists():
            po.parent.mkdir(parents=True, exist_ok=True)
            po.touch()


def update_catalogs(checkout: Path, locale_dir: Path) -> list[Path]:
    """Bring every .po file up to date with the texts in use; return those that changed.

    New texts come in empty, texts nobody uses any more are dropped, nothing is guessed.
    """
    texts = gather_texts(checkout)
    changed = []
    for po in sorted(locale_dir.glob("*/LC_MESSAGES/*.po")):
        before = po.read_bytes()
        catalog = read_catalog(po)
        catalog.update(texts, no_fuzzy_matching=True)
        content = io.BytesIO()
        write_po(content, catalog, width=100, ignore_obsolete=True, include_lineno=False)
        if content.getvalue() != before:
            _replace(po, content.getvalue())
            changed.append(po)
    return changed


def gather_texts(checkout: Path) -> Catalog:
    """Return every text that the code or a template asks a translation for, with its places."""
    catalog = Catalog(creation_date=FIXED_DATE)
    for path in _sources(checkout):
        place = path.relative_to(checkout).as_posix()
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            source = _as_python(templatize(source, origin=place))
        texts = extract(
            "python",
            io.BytesIO(source.encode()),
            keywords=KEYWORDS,
            comment_tags=(TRANSLATOR_COMMENT,),
            strip_comment_tags=True,
        )
        for line, text, comments, context in texts:
            catalog.add(text, locations=[(place, line)], auto_comments=comments, context=context)
    return catalog


def read_catalog(po: Path) -> Catalog:
    """Read one .po file; its language is the folder's name."""
    with po.open("rb") as file:
        return read_po(file, locale=po.parent.parent.name, abort_invalid=True)


def find_faults(texts: Catalog, translated: Catalog) -> Iterator[str]:
    """Yield one line for each text that is missing, unsure, empty or has other placeholders."""
    for text in texts:
        if not text.id:
            continue
        found = translated.get(text.id, text.context)
        if found is None:
            yield f"missing: {text.id!r}"
        elif found.fuzzy:
            yield f"fuzzy: {text.id!r}"
        elif not all(_forms(found.string)):
            yield f"not translated: {text.id!r}"
        elif not _placeholders_agree(found):
            yield f"other placeholders: {text.id!r}"


def _sources(checkout: Path) -> Iterable[Path]:
    for folder in ("dizzle_site", "sheets"):
        yield from sorted((checkout / folder).rglob("*.py"))
        yield from sorted((checkout / folder).rglob("*.html"))
    yield from sorted((checkout / "templates").rglob("*.html"))


def _as_python(templatized: str) -> str:
    """Drop the indentation that `templatize` keeps, which Python's tokenizer would not accept."""
    return "\n".join(line.lstrip() for line in templatized.split("\n"))


def _forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text or ""] if isinstance(text, str | None) else list(text)


def _placeholders_agree(message: Message) -> bool:
    """Tell whether each form of the translation has the placeholders of some form of the text.

    A singular may say "one" where the plural has the number.
    """
    wanted = [sorted(PLACEHOLDER.findall(form)) for form in _forms(message.id)]
    return all(sorted(PLACEHOLDER.findall(form)) in wanted for form in _forms(message.string))


def _replace(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old or the new one, never half of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        file.write(content)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
