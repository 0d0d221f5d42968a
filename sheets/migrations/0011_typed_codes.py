from typing import Any

from django.db import migrations, models


def type_what_was_typed(apps: Any, schema_editor: object) -> None:
    tables = apps.get_model("sheets", "Table").objects
    tables.update(typed_code=models.F("code"))


class Migration(migrations.Migration):
    dependencies = (("sheets", "0010_heartbeat"),)

    operations = (
        migrations.AlterField("table", "code", models.CharField(max_length=16, unique=True)),
        migrations.AlterField("table", "next_code", models.CharField(blank=True, max_length=16)),
        migrations.AddField(
            "table", "typed_code", models.CharField(max_length=12, null=True, unique=True)
        ),
        migrations.RunPython(type_what_was_typed, migrations.RunPython.noop),
    )
