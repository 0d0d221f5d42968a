"""Cache of the levels of tables and scorings, shared by equal levels."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sheets.models import Scoring
from sheets.rules import parse_level
from sheets.scoring import store
from sheets.tables.table_settings import level_of
from tests.score_levels import GARDEN, RAILS
from tests.table_games import sit_down

pytestmark = pytest.mark.django_db


def scoring_of(level: object) -> Scoring:
    return store.find(store.create(parse_level(level), ["Ana"])).resource


def test_a_level_is_read_and_parsed_once() -> None:
    scoring = scoring_of(GARDEN)
    table = sit_down(level=GARDEN).access().table
    levels = store.level_of(scoring), level_of(table)
    with CaptureQueriesContext(connection) as asked:
        again = store.level_of(scoring), level_of(table)
    assert len(asked) == 0
    assert all(one is other for one, other in zip(levels, again, strict=True))


def test_equal_levels_are_one_object() -> None:
    first, second = scoring_of(GARDEN), scoring_of(GARDEN)
    table = sit_down(level=GARDEN).access().table
    assert store.level_of(first) is store.level_of(second) is level_of(table)
    assert store.level_of(scoring_of(RAILS)).id == RAILS["id"]


@pytest.mark.postgresql
def test_a_reused_primary_key_has_its_own_level() -> None:
    scoring = scoring_of(GARDEN)
    assert store.level_of(scoring).id == GARDEN["id"]
    number = scoring.pk
    scoring.delete()
    new = scoring_of(RAILS)
    new.sheets.all().delete()
    Scoring.objects.filter(pk=new.pk).update(id=number)
    assert store.level_of(Scoring.objects.get(pk=number)).id == RAILS["id"]
