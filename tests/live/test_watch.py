"""Does the look into the database find all tables that somebody listens to, however many?"""

from __future__ import annotations

import pytest

from sheets.live.watch import held_at, revisions_of
from sheets.models import Seat, Table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("count", [0, 1, 2, 9, 64, 501])
def test_all_tables_are_found_and_who_sits_there(count: int) -> None:
    tables = [Table(code=f"T{number:07}", revision=number % 7) for number in range(count + 1)]
    tables = Table.objects.bulk_create(tables)
    Seat.objects.bulk_create(
        Seat(table=table, number=number, token_digest=f"{table.code} {number}" if number else "")
        for table in tables
        for number in range(3)
    )
    watched = tables[:count]
    codes = [table.code for table in watched]
    assert dict(revisions_of([*codes, "GONE"])) == {one.code: one.revision for one in watched}
    held = {code: {f"{code} 1", f"{code} 2"} for code in codes}
    assert held_at([*codes, "GONE"]) == {**held, "GONE": set()}
