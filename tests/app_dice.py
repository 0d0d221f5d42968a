"""Chosen dice of the app for tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sheets.models import Table


def let_app_throw(monkeypatch: pytest.MonkeyPatch, throw: Callable[[], int]) -> None:
    """Make the app throw the dice that a function returns, at tables without a seed.

    Tables that are open already lose their seed.
    """
    monkeypatch.setattr("sheets.tables.seating.new_seed", lambda: "")
    monkeypatch.setattr("sheets.tables.family._throw", throw)
    Table.objects.update(dice_seed="")
