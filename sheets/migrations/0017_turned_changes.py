"""What is taken back is followed by what turned it round: so each device takes back its own."""

from typing import Any

from django.db import migrations, models


def follow_what_was_taken_back(apps: Any, schema_editor: Any) -> None:
    """Changes beyond a level's position were taken back, the last one first."""
    levels = apps.get_model("sheets", "WorkshopLevel").objects
    for level in levels.only("pk", "position").iterator():
        beyond = level.changes.filter(number__gt=level.position).order_by("-number")
        last = level.position
        for change in list(beyond):
            last = max(last, change.number) + 1
            level.changes.create(
                number=last,
                before=change.after,
                after=change.before,
                page=change.page,
                turns=change.number,
            )
        if last != level.position:
            levels.filter(pk=level.pk).update(position=last)


class Migration(migrations.Migration):
    dependencies = (("sheets", "0016_blank_sheets"),)

    operations = (
        migrations.AddField(
            "draftchange",
            "turns",
            models.PositiveIntegerField(null=True),
        ),
        migrations.RunPython(follow_what_was_taken_back, migrations.RunPython.noop, elidable=True),
    )
