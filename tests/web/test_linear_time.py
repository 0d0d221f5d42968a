"""Linear run time of every regular expression and every parser of external text (ReDoS).

A pattern or a parser of quadratic time holds the GIL: one request of a megabyte would block the
whole site for minutes. New patterns are found and tested automatically; a new parser has to be
listed in `READERS` or `EXEMPT`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

import pytest
import regex
from django.conf import settings
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.test import RequestFactory
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from dizzle_site.hosts import is_home_host
from dizzle_site.log_lines import mask_keys
from sheets.access import codes
from sheets.access.keys import key_in_link, secret_in
from sheets.art.text_shaping import drawable_text
from sheets.documents import analysis, dice2, faults, opened, structure
from sheets.groups import dates, game_files_import, pasted_table, result_table
from sheets.groups import documents as group_documents
from sheets.levels import find_level
from sheets.models import Group
from sheets.names import cleaning, confusables
from sheets.photos import forms as photo_forms
from sheets.printing.web import request as print_request
from sheets.rules import DocumentError
from sheets.scoring import acts as scoring_acts
from sheets.scoring import spreadsheet
from sheets.scoring.tally_forms import NumbersField
from sheets.tables.dice2 import files as dice2_files
from sheets.tables.dice2.views import score as dice2_score
from sheets.templatetags import name_tags
from sheets.workshop import acts as workshop_acts
from sheets.workshop import level_codes
from tests.growth_rate import is_linear

ROOTS: Final = ("sheets", "dizzle_site")

BODY: Final = settings.MAX_BODY_BYTES
DOCUMENT_TEXT: Final = 500
"""Maximum length of a text in a document, see `structure.Text`."""
HEADER: Final = 64 * 1024
"""Size of a header or address in bytes, more than the servers accept."""

REFUSALS: Final = (
    *(ValueError, LookupError, ValidationError, SuspiciousOperation),
    *(DocumentError, dice2_files.BrokenFile, print_request.PrintRefused),
)

UNITS: Final = (
    *(" ", "\n", "\t", "a", "1", "-", "_", "/", ".", ",", ";", ":", "=", "'", '"', "%41", "&#"),
    *("a ", "1,", "1-", "a1 ", "<!---->", "<a ", "{", "[", '{"a":', '"a",', "[1,", "\\u0041"),
    *("/workshop/" + "a" * 32, "%25", "%2D", "table/", "%2Ftable%2f"),
    "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}",
    "\N{MUSICAL SYMBOL COMBINING STEM}\N{HANGUL SINGLE DOT TONE MARK}",
    "\N{REGIONAL INDICATOR SYMBOL LETTER A}",
    "\N{MAN}\N{ZERO WIDTH JOINER}",
    "\N{ZERO WIDTH SPACE} ",
    "\ud800",
)
"""Texts that attacks repeat: blanks, separators, halves of syntax, accents and flags."""

STARTS: Final = ("", '["', '{"', "[1.")
"""Beginnings of documents, so that the rest reaches a parser of JSON."""

SPOILER: Final = "\n\0!"
"""End of a text that makes a match fail at the last moment."""


class Reader(NamedTuple):
    """A function that parses external text, and the maximum size of that text."""

    read: Callable[[Any], object]
    most: int
    before: str = ""
    is_bytes: bool = False


def _table(text: str) -> object:
    return pasted_table.read_table(text, Group(pk=1))


RESULTS: Final = "Date;Player;Points;Share of the win;Game number\n2026-11-22;"

READERS: Final[dict[str, Reader]] = {
    "sheets.access.codes.parse_code": Reader(codes.parse_code, BODY),
    "sheets.access.keys.key_in_link": Reader(partial(key_in_link, part="workshop"), BODY),
    "sheets.access.keys.secret_in": Reader(lambda text: secret_in({"dizzle_seat": text}), HEADER),
    "sheets.art.text_shaping.drawable_text": Reader(drawable_text, DOCUMENT_TEXT),
    "sheets.documents.analysis.read_analysis": Reader(analysis.read_analysis, BODY, is_bytes=True),
    "sheets.documents.dice2.read_dice2": Reader(dice2.read_dice2, BODY, is_bytes=True),
    "sheets.documents.dice2.read_relay": Reader(dice2.read_relay, BODY, is_bytes=True),
    "sheets.documents.faults.read_json": Reader(faults.read_json, BODY, is_bytes=True),
    "sheets.documents.opened.read_any": Reader(opened.read_any, BODY, is_bytes=True),
    "sheets.documents.structure.read_game": Reader(
        partial(structure.read_game, find_level=find_level),
        BODY,
        '{"format":"dizzle-game/1","x":"',
        is_bytes=True,
    ),
    "sheets.documents.structure.read_level": Reader(
        structure.read_level,
        BODY,
        '{"format":"dizzle-level/1","id":"a","name":"A","grid":["',
        is_bytes=True,
    ),
    "sheets.documents.structure.read_sheets": Reader(
        partial(structure.read_sheets, find_level=find_level),
        BODY,
        '{"format":"dizzle-sheets/1","x":"',
        is_bytes=True,
    ),
    "sheets.groups.dates.parse_day": Reader(dates.parse_day, BODY),
    "sheets.groups.documents.read_group": Reader(
        group_documents.read_group, settings.LARGER_BODIES["/groups/file/"], is_bytes=True
    ),
    "sheets.groups.game_files_import.read_file": Reader(
        game_files_import.read_file, settings.LARGER_BODIES["/enter/files/"], is_bytes=True
    ),
    "sheets.groups.pasted_table.parse_typed_result": Reader(pasted_table.parse_typed_result, BODY),
    "sheets.groups.pasted_table.parse_points": Reader(pasted_table.parse_points, BODY),
    "sheets.groups.pasted_table.read_table": Reader(_table, BODY),
    "sheets.groups.result_table.read_table": Reader(
        lambda text: result_table.read_table(text, Group(pk=1)), BODY, RESULTS
    ),
    "sheets.photos.forms.parse_corners": Reader(photo_forms.parse_corners, BODY),
    "sheets.printing.web.request.read_request": Reader(
        lambda text: print_request.read_request(
            RequestFactory().get("/print/", {"level": text, "copies": text})
        ),
        HEADER,
    ),
    "sheets.names.confusables.skeletons": Reader(confusables.skeletons.__wrapped__, DOCUMENT_TEXT),
    "sheets.names.cleaning.clean_name": Reader(cleaning.clean_name, BODY),
    "sheets.names.cleaning.cut_name": Reader(partial(cleaning.cut_name, max_length=40), BODY),
    "sheets.scoring.acts.read_batch": Reader(scoring_acts.read_batch, BODY, is_bytes=True),
    "sheets.scoring.spreadsheet.escape_formulas": Reader(spreadsheet.escape_formulas, BODY),
    "sheets.scoring.tally_forms.NumbersField.clean": Reader(NumbersField().clean, BODY),
    "sheets.tables.dice2.files.read_record": Reader(dice2_files.read_record, BODY, is_bytes=True),
    "sheets.tables.dice2.views.score._parse": Reader(
        lambda text: dice2_score._parse(text, 2), HEADER
    ),
    "sheets.templatetags.name_tags.short_name": Reader(name_tags.short_name, BODY),
    "sheets.workshop.acts.read_batch": Reader(workshop_acts.read_batch, BODY, is_bytes=True),
    "sheets.workshop.level_codes.parse_code": Reader(level_codes.parse_code, BODY, "1"),
    "dizzle_site.log_lines.mask_keys": Reader(mask_keys, BODY),
    "dizzle_site.hosts.is_home_host": Reader(is_home_host.__wrapped__, HEADER),
}
"""Parsers by name, with the maximum size of text that a request can pass to them."""


EXEMPT: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "sheets.documents.structure.decode",
            "sheets.documents.structure._parse_level_text",
            "sheets.documents.faults._parse_int",
            "sheets.groups.manual_entry._read_day",
            "sheets.groups.documents._decode",
            "sheets.groups.dates._parse_digits",
            "sheets.groups.dates._parse_with_time",
            "sheets.groups.dates._parse_words",
            "sheets.groups.dates.read_day",
            "sheets.names.cleaning.clean_text",
            "sheets.rules.documents.level._parse_field",
            "sheets.rules.documents.level._parse_token",
            "sheets.rules.documents.level._parse_pairs",
            "sheets.rules.level.parse_column",
            "sheets.rules.level.parse_field",
            "sheets.rules.marks.parse_marks",
            "sheets.templatetags.name_tags.clean",
            "sheets.workshop.draft.parse_square",
        ),
        "part of a reader that is measured",
    ),
    "sheets.groups.result_table.decode_table": "decodes with codecs of Python only",
    "sheets.tables.page_state.parse_query": "reads single values of a query, without a pattern",
    **dict.fromkeys(
        (
            "sheets.models.levels._parse",
            "sheets.photos.worker.messages.unpack",
            "sheets.puzzles.store._parse_level",
            "sheets.puzzles.store._parse_shipped",
            "sheets.vision.reading.reading_document",
            "sheets.vision.pads.template._decode",
            "sheets.simulation.games._parse",
            "sheets.tables.background_bots.parse_actions",
        ),
        "reads what the site itself has written",
    ),
    **dict.fromkeys(
        (
            "sheets.photos.worker.printed_sheet.read_print_photo",
            "sheets.photos.worker.empty_sheet._read_first",
            "sheets.photos.worker.empty_sheet.read_empty_photo",
            "sheets.photos.worker.empty_sheet.read_empty_photo_of",
            "sheets.photos.worker.pad.read_pad_photo",
            "sheets.photos.read_files._read_page",
            "sheets.photos.read_files.read_file",
            "sheets.photos.worker.tasks.read",
            "sheets.photos.worker.tasks.read_empty",
            "sheets.photos.worker.tasks.read_empty_of",
            "sheets.photos.worker.tasks.read_pad",
            "sheets.vision.decoding.decode_photo",
            "sheets.vision.qr_codes._parse_code",
            "sheets.vision.reading.read_photo",
            "sheets.vision.reading.read_photo_at_corners",
            "sheets.vision.pads.filled_sheet_reading.read_filled_sheet",
            "sheets.vision.pads.filled_sheet_reading.read_filled_sheet_at_corners",
            "sheets.vision.pads.empty_sheet_reading.read_empty_sheet",
            "sheets.vision.pads.empty_sheet_reading.read_empty_sheet_at_corners",
            "sheets.vision.webp.read_header",
        ),
        "reads a picture, in a process with limits of time and memory",
    ),
    **dict.fromkeys(
        (
            "sheets.management.commands.levels.read_checked",
            "sheets.management.commands.print.Command.read_filled",
            "sheets.management.commands.print.Command.read_played",
            "sheets.management.commands.read.Command.reader.read",
            "sheets.management.commands.read.read_pages",
            "sheets.management.commands.read.read_photo_file",
            "sheets.management.commands.read.read_template",
            "sheets.management.document_command.read_bytes",
            "sheets.management.document_command.read_lines",
            "sheets.management.paper_file.read_unambiguous_sheets",
            "sheets.vision.ground_truth.read_truth_files",
        ),
        "part of a command: whoever gives the file waits for it",
    ),
    "sheets.printing.web.request.read_levels": "part of read_request",
    "sheets.photos.forms.parse_sheets_of_game": "reads names and marks by readers of their own",
    **dict.fromkeys(
        (
            "sheets.photos.forms._parse_index",
            "sheets.photos.forms._parse_marks",
            "sheets.photos.forms._parse_sheet",
            "sheets.photos.forms.parse_sheets",
        ),
        "part of parse_sheets_of_game",
    ),
}
"""Parsers that are not measured here, with the reason."""

OWN_TEXT: Final = {
    *("dizzle_site.certificates", "sheets.art.render.pdf"),
    "sheets.templatetags.script_tags",
}
"""Modules whose patterns match only text that the site itself has written."""

METHODS: Final = ("match", "fullmatch", "search", "findall")

FEWER_METHODS: Final = {
    # `PICTURE_START` is matched at the beginning of a file.
    "sheets.documents.opened": ("match", "fullmatch"),
    # Graphemes are quadratic for a row of flags: `cut_name` cuts before it matches them, and the
    # others match names and labels of limited length.
    **dict.fromkeys(
        ("sheets.names.cleaning", "sheets.templatetags.name_tags", "sheets.art.text_shaping"),
        ("match", "fullmatch", "search"),
    ),
}
"""Modules whose patterns are used with some methods only."""


# Patterns and parsers of the code -----------------------------------------------------------------


def modules() -> Iterator[tuple[str, ast.Module]]:
    for root in ROOTS:
        for path in sorted((settings.BASE_DIR / root).rglob("*.py")):
            relative = path.relative_to(settings.BASE_DIR).with_suffix("")
            name = ".".join(relative.parts).removesuffix(".__init__")
            yield name, ast.parse(path.read_text("utf-8"))


def readers_in(node: ast.AST, name: str) -> Iterator[str]:
    """Yield the names of functions that parse, read or clean text."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            below = f"{name}.{child.name}"
            if isinstance(child, ast.FunctionDef) and is_reader(child):
                yield below
            yield from readers_in(child, below)


def is_reader(function: ast.FunctionDef) -> bool:
    takes = {ast.unparse(each.annotation) for each in function.args.args if each.annotation}
    begins = function.name.lstrip("_").startswith(("parse", "read", "clean", "decode", "unpack"))
    return begins and not takes.isdisjoint({"str", "bytes", "QueryDict"})


def patterns_in(tree: ast.Module, module: str) -> Iterator[Any]:
    """Yield the regular expressions of a module, compiled.

    These are the compiled patterns among its names, also in collections, and literals in its
    functions, in `Meta` of documents, in validators of forms and in parts of addresses. Patterns
    that a function computes are not found.
    """
    there = vars(import_module(module))
    kinds = (re.Pattern, type(regex.compile("")))
    for value in there.values():
        several = value.values() if isinstance(value, dict) else value
        among = several if isinstance(value, dict | tuple | list) else (value,)
        yield from (one for one in among if isinstance(one, kinds))
    for node in ast.walk(tree):
        for library, written in written_in(node):
            with suppress(NameError, AttributeError):
                found = eval(ast.unparse(written), there)  # noqa: S307  our own code
                yield found if isinstance(found, kinds) else library.compile(found)


def written_in(node: ast.AST) -> Iterator[tuple[Any, ast.expr]]:
    """Yield the literals that are used as regular expressions, each with its node."""
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called.startswith("regex."):
            yield from ((regex, first) for first in node.args[:1])
        if called.startswith("re.") or called.endswith(("RegexField", "RegexValidator")):
            yield from ((re, first) for first in node.args[:1])
        yield from ((re, word.value) for word in node.keywords if word.arg == "pattern")
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "regex":
        yield re, node.value


TREES: Final = dict(modules())
PATTERNS: Final = {
    f"{module} {pattern.pattern!r}": (module, pattern)
    for module, tree in TREES.items()
    if module not in OWN_TEXT
    for pattern in patterns_in(tree, module)
}


def repeated(unit: Any, size: int, before: Any, after: Any) -> Any:
    return before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


# Tests --------------------------------------------------------------------------------------------


def slow_methods(pattern: Any, units: Iterable[str], methods: Iterable[str]) -> list[str]:
    """Return the methods that take more than linear time, with the units."""
    is_bytes = isinstance(pattern.pattern, bytes)
    after = SPOILER.encode() if is_bytes else SPOILER
    slow = []
    for unit in units:
        sent = unit.encode("utf-8", "surrogatepass") if is_bytes and isinstance(unit, str) else unit
        make = partial(lambda size, sent: repeated(sent, size, sent[:0], after), sent=sent)
        for method in methods:
            if not is_linear(getattr(pattern, method), make, 20_000):
                slow.append(f"{method} of {unit!r}")
    return slow


def test_patterns_take_linear_time() -> None:
    slow = {
        name: slow_methods(pattern, UNITS, FEWER_METHODS.get(module, METHODS))
        for name, (module, pattern) in PATTERNS.items()
    }
    assert {name: found for name, found in slow.items() if found} == {}


@pytest.mark.parametrize(
    "name", [name for name, (_, one) in PATTERNS.items() if isinstance(one, re.Pattern)]
)
@hypothesis_settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_patterns_take_linear_time_for_their_own_literals(name: str, data: st.DataObject) -> None:
    module, pattern = PATTERNS[name]
    unit = data.draw(st.from_regex(pattern))
    assert not unit or slow_methods(pattern, [unit], FEWER_METHODS.get(module, METHODS)) == []


def test_every_reader_is_listed() -> None:
    there = {name for module, tree in TREES.items() for name in readers_in(tree, module)}
    assert there - set(READERS) - set(EXEMPT) == set()
    assert set(EXEMPT) <= there
    assert set(READERS).isdisjoint(EXEMPT)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("name", READERS)
def test_readers_take_linear_time_up_to_their_limit(name: str) -> None:
    reader = READERS[name]

    def read(text: str | bytes) -> None:
        with suppress(*REFUSALS):
            reader.read(text)

    slow = []
    for before in {reader.before, *(STARTS if reader.is_bytes else STARTS[:1])}:
        for unit in UNITS:

            def make(size: int, before: str = before, unit: str = unit) -> str | bytes:
                text: str = repeated(unit, size, before, SPOILER)
                return text.encode("utf-8", "surrogatepass") if reader.is_bytes else text

            if not is_linear(read, make, reader.most):
                slow.append(before + unit)
    assert slow == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        r"^\s*\S*/workshop/(?P<key>[A-Za-z0-9_-]{32})/\S*\s*$",
        r"(?:.*/workshop/)?([A-Za-z0-9_-]{32})(?:/.*)?",
    ],
)
def test_quadratic_patterns_are_found(pattern: str) -> None:
    """Both patterns were in the code once; one request could block the whole site by either."""
    assert slow_methods(re.compile(pattern), UNITS, METHODS)
