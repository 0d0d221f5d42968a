from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def find_bought_sheets(apps: Any, schema_editor: object) -> None:
    """Mark what was begun with a bought sheet; its id went along into the copy of the level."""
    bought = apps.get_model("sheets", "WorkshopLevel").objects.filter(is_bought=True)
    for level in bought.only("pk", "document").iterator():
        for name in ("Table", "Scoring"):
            begun = apps.get_model("sheets", name).objects.filter(level__id=level.document["id"])
            begun.update(is_bought=True, bought_level=level)


def fields() -> dict[str, Any]:
    return {
        "is_bought": models.BooleanField(default=False),
        "bought_level": models.ForeignKey(
            null=True,
            on_delete=django.db.models.deletion.SET_NULL,
            related_name="+",
            to="sheets.workshoplevel",
        ),
    }


class Migration(migrations.Migration):
    dependencies = (("sheets", "0011_typed_codes"),)

    operations = (
        *(
            migrations.AddField(model, name, field)
            for model in ("table", "scoring")
            for name, field in fields().items()
        ),
        migrations.RunPython(find_bought_sheets, migrations.RunPython.noop),
    )
