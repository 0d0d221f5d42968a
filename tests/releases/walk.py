"""Run all migrations one by one, and give each new table a row.

`python -m tests.releases.walk` works on the empty database of the environment variables. In the end
it prints the number of tables with rows.
"""

from __future__ import annotations

import sys
from typing import Any

import django
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

VALUES: dict[type[models.Field[Any, Any]], Any] = {
    models.CharField: "x",
    models.TextField: "x",
    models.BooleanField: False,
    models.IntegerField: 1,
    models.BigIntegerField: 1,
    models.FloatField: 1.0,
    models.JSONField: {},
    models.BinaryField: b"x",
    models.DateTimeField: timezone.now(),
    models.DateField: timezone.now().date(),
}


def walk() -> int:
    """Migrate one step at a time; return the number of tables with rows."""
    plan = MigrationExecutor(connection).loader.graph.leaf_nodes("sheets")
    steps = [
        migration
        for migration, _ in MigrationExecutor(connection).migration_plan(plan)
        if migration.app_label == "sheets"
    ]
    for step in steps:
        executor = MigrationExecutor(connection)
        apps = executor.migrate([("sheets", step.name)]).apps
        for model in apps.get_app_config("sheets").get_models():
            row_of(model)
    made = list(apps.get_app_config("sheets").get_models())
    counts = {model._meta.label: model._base_manager.count() for model in made}
    assert 0 not in counts.values(), counts
    return len(counts)


def row_of(model: type[models.Model]) -> models.Model:
    """Return the only row of a table, created on demand, with the only rows it refers to."""
    manager = model._base_manager
    fields = [
        field
        for field in model._meta.local_fields
        if not (field.primary_key or field.null or field.has_default())
    ]
    return manager.first() or manager.create(**{field.name: value_of(field) for field in fields})


def value_of(field: models.Field[Any, Any]) -> Any:
    """Return a valid value of a field."""
    if isinstance(field, models.ForeignKey):
        return row_of(field.related_model)
    return next(value for kind, value in VALUES.items() if isinstance(field, kind))


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(f"{walk()} tables\n")
