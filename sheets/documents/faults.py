"""Diagnosis of invalid JSON documents: faults of text, keys, types and ranges.

msgspec checks quickly whether a document has the required structure, but reports only the first
fault, as an English sentence. This module finds all faults by walking the document along the
structure's description from `msgspec.inspect`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, inspect

from sheets.rules import DocumentError
from sheets.rules.violations import DocumentPath

MAX_INT_DIGITS: Final = 40
"""Maximum number of digits parsed of an integer; a longer one is too great in any case."""


def find_structure_faults(document: Any, kind: type) -> Iterator[DocumentError]:
    """Yield every fault of a document's structure, in the document's own order.

    Args:
        document: plain dicts, lists and values.
        kind: the structure, a `msgspec.Struct`. A type in it can name the fault of values that do
            not match: ``Meta(pattern=…, extra={"fault": "not-a-field-name"})``.
    """
    return _in_value(document, _type_info(kind), ())


def read_json(text: bytes) -> Any:
    """Parse a text that msgspec has refused, and return its plain value.

    Raises:
        DocumentError: the text is no JSON (with line and column, from 1, of the first error), is
            nested too deeply, or is not UTF-8.
    """
    written = text.decode(errors="replace")
    try:
        plain = json.loads(written, parse_int=_parse_int, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        if not error.doc[: error.pos].strip():
            raise DocumentError("not-json") from None
        raise DocumentError("broken-json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        # The first character still shows whether the document is an object.
        is_object = written.lstrip().startswith("{")
        raise DocumentError("too-deep" if is_object else "not-an-object") from None
    if written.encode() != text:
        raise DocumentError("not-utf-8")
    return plain


def refuse_lossy_json(text: bytes) -> None:
    """Raise DocumentError for valid JSON that cannot be stored without loss.

    A duplicate key would silently lose one of its values, lone surrogates are no text, and not
    every database can store a NUL character. (This is no pattern for msgspec, because a pattern
    that occurs in many structures crashes Python at its exit.)
    """
    # Surrogates and NUL can only be written as escapes: the rest of the bytes is valid UTF-8.
    if b"\\u" not in text:
        json.loads(text, object_pairs_hook=_check_keys, parse_int=_parse_int)
        return
    plain = json.loads(text, object_pairs_hook=_check_pairs, parse_int=_parse_int)
    try:
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise DocumentError("not-utf-8") from None


def _check_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        ((double, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise DocumentError("double-key", key=double)
    return result


def _check_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = _check_keys(pairs)
    for key, value in pairs:
        texts = value if key == "players" and isinstance(value, list) else [value]
        if any(isinstance(found, str) and "\0" in found for found in texts):
            raise DocumentError("nul-character", (key,))
    return result


def _parse_int(digits: str) -> int:
    return int(digits[:MAX_INT_DIGITS])


def _refuse_constant(_name: str) -> float:
    """Raise DocumentError: JSON has no NaN and no Infinity."""
    raise DocumentError("not-json")


@cache
def _type_info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


def _in_value(
    value: Any, kind: inspect.Type, place: DocumentPath, mismatch: str = "not-allowed"
) -> Iterator[DocumentError]:
    """Yield the faults of a value.

    ``mismatch`` is the fault of a text that does not match its pattern, and of a value that is none
    of the allowed literals.
    """
    match kind:
        case inspect.AnyType() | inspect.RawType():
            return
        case inspect.Metadata():
            named = (kind.extra or {}).get("fault", mismatch)
            yield from _in_value(value, kind.type, place, named)
        case inspect.UnionType():
            yield from _in_union(value, kind.types, place)
        case inspect.LiteralType():
            if not any(value == one and type(value) is type(one) for one in kind.values):
                yield DocumentError(mismatch, place, written=_format_value(value))
        case _ if not _fits(value, kind):
            yield DocumentError(_TYPE_FAULTS[type(kind)], place)
        case inspect.StructType():
            yield from _in_object(value, kind, place)
        case inspect.DictType():
            yield from _in_mapping(value, kind, place)
        case inspect.ListType():
            yield from _in_list(value, kind, place)
        case _:
            yield from _in_plain(value, kind, place, mismatch)


def _in_union(
    value: Any, kinds: tuple[inspect.Type, ...], place: DocumentPath
) -> Iterator[DocumentError]:
    """Yield the faults of a value that must match one of several kinds.

    If several of the kinds are objects, the tag (such as an action's ``do``) selects one.
    """
    if value is None and any(isinstance(kind, inspect.NoneType) for kind in kinds):
        return
    kinds = tuple(kind for kind in kinds if not isinstance(kind, inspect.NoneType))
    fitting = [kind for kind in kinds if _fits(value, kind)]
    if len(fitting) > 1 and isinstance(fitting[0], inspect.StructType):
        tag_field = str(fitting[0].tag_field)
        tags = {kind.tag: kind for kind in fitting if isinstance(kind, inspect.StructType)}
        if tag_field not in value:
            yield DocumentError("missing-key", place, key=tag_field)
            return
        tag = value[tag_field]
        if not isinstance(tag, str) or tag not in tags:
            yield DocumentError("not-allowed", (*place, tag_field), written=_format_value(tag))
            return
        fitting = [tags[tag]]
    yield from _in_value(value, (fitting or kinds)[0], place)


def _in_object(
    value: dict[str, Any], kind: inspect.StructType, place: DocumentPath
) -> Iterator[DocumentError]:
    fields = {field.encode_name: field for field in kind.fields}
    # The format first: in a document of another kind, other faults are of no interest.
    for key in sorted(value, key=lambda key: key != "format"):
        if key in fields:
            yield from _in_value(value[key], fields[key].type, (*place, key))
        elif key != kind.tag_field:
            yield DocumentError("unknown-key", place, key=key)
    for key, field in fields.items():
        if field.required and key not in value:
            yield DocumentError("missing-key", place, key=key)


def _in_mapping(
    value: dict[str, Any], kind: inspect.DictType, place: DocumentPath
) -> Iterator[DocumentError]:
    yield from _in_size(value, kind, place)
    for key, entry in value.items():
        wrong_key = list(_in_value(key, kind.key_type, place))
        yield from wrong_key or _in_value(entry, kind.value_type, (*place, key))


def _in_list(
    value: list[Any], kind: inspect.ListType, place: DocumentPath
) -> Iterator[DocumentError]:
    wrong_size = list(_in_size(value, kind, place))
    yield from wrong_size
    # If a list is too long, faults of its entries are of no interest.
    for index, entry in enumerate(() if wrong_size else value):
        yield from _in_value(entry, kind.item_type, (*place, index))


def _in_plain(
    value: Any, kind: inspect.Type, place: DocumentPath, mismatch: str
) -> Iterator[DocumentError]:
    if isinstance(kind, inspect.StrType):
        yield from _in_size(value, kind, place)
        if kind.pattern and not re.search(kind.pattern, value):
            yield DocumentError(mismatch, place, written=value)
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        if kind.ge is not None and value < kind.ge:
            yield DocumentError("too-small", place, least=kind.ge)
        if kind.le is not None and value > kind.le:
            yield DocumentError("too-great", place, most=kind.le)


def _in_size(value: Any, kind: Any, place: DocumentPath) -> Iterator[DocumentError]:
    """Yield the fault of a text, list or object that is too short or too long."""
    if kind.min_length and len(value) < kind.min_length:
        fault = "too-short" if value else "empty"
        yield DocumentError(fault, place, least=kind.min_length)
    if kind.max_length is not None and len(value) > kind.max_length:
        yield DocumentError("too-long", place, most=kind.max_length)


_TYPE_FAULTS: Final[dict[type[inspect.Type], str]] = {
    inspect.StructType: "not-an-object",
    inspect.DictType: "not-an-object",
    inspect.ListType: "not-a-list",
    inspect.StrType: "not-a-text",
    inspect.IntType: "not-an-integer",
    inspect.FloatType: "not-a-number",
    inspect.BoolType: "not-a-boolean",
    inspect.DateType: "not-a-day",
    inspect.DateTimeType: "not-a-time",
}
"""Fault of a value that does not have the required type, by this type."""


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Return whether a value has the type of a kind; its content is not checked."""
    match kind:
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and math.isfinite(value)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.Metadata():
            return _fits(value, kind.type)
        case inspect.DateType():
            return isinstance(value, str) and _converts(value, date)
        case inspect.DateTimeType():
            with_zone = Annotated[datetime, Meta(tz=kind.tz)]
            return isinstance(value, str) and _converts(value, with_zone)
        case _:
            return isinstance(value, str)


def _converts(value: str, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _format_value(value: Any) -> str:
    """Return a value as JSON; a text without its quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
