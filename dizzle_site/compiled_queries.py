"""Queries whose SQL is compiled once.

For its hottest queries, Django takes longer to make the SQL than the database takes to answer:
without this, a tap at a table costs a quarter more processor time (`bench/tap.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

_CompiledSql = tuple[str, list[tuple[int, Any]]]
"""The SQL, and each column whose stored values need conversion, with its position in the row."""


class Statement:
    """A query for plain values (`values_list`), repeated with different parameters.

    ``make`` returns the query for some parameters. The SQL must be the same for all parameters, and
    must contain them in the order of the arguments. ``like`` are example parameters.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, tuple[Any, ...]]], *like: object) -> None:
        self._make, self._like = make, like
        self._known: dict[str, _CompiledSql] = {}

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Run the query with these parameters, and return the rows as Django would."""
        sql, converted = self._known.get(connection.vendor) or self._compile()
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            rows = [list(row) for row in cursor.fetchall()]
        for place, column in converted:
            for convert in _converters(column):
                for row in rows:
                    row[place] = convert(row[place], column, connection)
        return [tuple(row) for row in rows]

    def _compile(self) -> _CompiledSql:
        compiler = self._make(*self._like).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, values = compiler.as_sql()
        if values != self._like:
            raise ValueError(f"The parameters are in another order: {values}.")
        columns = enumerate(column for column, _sql, _alias in compiler.select)
        known = sql, [(place, column) for place, column in columns if _converters(column)]
        self._known[connection.vendor] = known
        return known


def _converters(column: Any) -> list[Callable[[Any, Any, Any], Any]]:
    """Return the functions that convert stored values of a column, for this thread's connection."""
    return [
        *connection.ops.get_db_converters(column),
        *column.get_db_converters(connection),
    ]
