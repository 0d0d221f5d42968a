"""How is a query asked again and again without being put into words each time?

Django makes its SQL anew for each query, which takes longer than the database does to answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet

_Words = tuple[str, list[tuple[int, Any]]]
"""The SQL, and those columns by their places whose values are stored otherwise than given."""


class Statement:
    """A query for plain values, asked again and again with others in the place of ``like``.

    ``make`` must come to the same SQL whatever they are, and take them in the order of that.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, tuple[Any, ...]]], *like: object) -> None:
        self._make, self._like = make, like
        self._known: dict[str, _Words] = {}

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """What the database has, as Django would give it."""
        sql, converted = self._known.get(connection.vendor) or self._words()
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            rows = [list(row) for row in cursor.fetchall()]
        for place, column in converted:
            for convert in _converters(column):
                for row in rows:
                    row[place] = convert(row[place], column, connection)
        return [tuple(row) for row in rows]

    def _words(self) -> _Words:
        compiler = self._make(*self._like).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, values = compiler.as_sql()
        if values != self._like:
            raise ValueError(f"it takes its values as {values}")
        columns = enumerate(column for column, _sql, _alias in compiler.select)
        known = sql, [(place, column) for place, column in columns if _converters(column)]
        self._known[connection.vendor] = known
        return known


def _converters(column: Any) -> list[Callable[[Any, Any, Any], Any]]:
    """What makes what this thread's connection gives into what Django gives."""
    return [
        *connection.ops.get_db_converters(column),
        *column.get_db_converters(connection),
    ]
