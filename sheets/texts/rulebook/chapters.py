"""What a rule is that people read, and what a chapter of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Rule(NamedTuple):
    """A rule as people read it.

    ``name`` is one of `sheets.rules.RULES`, or for what explains and refuses nothing (``is_note``)
    another one; ``is_step`` says whether it is one of the steps that its chapter begins with: those
    are numbered. ``example`` is one of `examples.EXAMPLES`.
    """

    name: str
    title: _StrPromise
    text: _StrPromise
    is_step: bool = False
    is_note: bool = False
    example: str = ""


class Chapter(NamedTuple):
    """Rules that are looked up together; ``drawing`` is the id of a drawing of `sheets.artwork`."""

    name: str
    drawing: str
    title: _StrPromise
    intro: _StrPromise
    rules: tuple[Rule, ...]
