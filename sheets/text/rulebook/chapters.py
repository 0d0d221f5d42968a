"""Structure of the rulebook: chapters of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Rule(NamedTuple):
    """Paragraph on one rule.

    ``name`` is one of `sheets.rules.RULES`, or another name for an explanation that refuses
    nothing (``is_note``). ``is_step`` marks the numbered steps with which a chapter begins.
    ``example`` is a key of `examples.EXAMPLES`, the name of a printed example
    (`short.describe_examples`), or empty.
    """

    name: str
    title: _StrPromise
    text: _StrPromise
    is_step: bool = False
    is_note: bool = False
    example: str = ""


class Chapter(NamedTuple):
    """Chapter of related rules; ``drawing`` is the id of a drawing of `sheets.art`."""

    name: str
    drawing: str
    title: _StrPromise
    intro: _StrPromise
    rules: tuple[Rule, ...]
