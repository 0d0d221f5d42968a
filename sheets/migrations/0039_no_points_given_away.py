"""Groups no longer add up the points given away in many games."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def cancel_analyses_for_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Nobody waits for them any more."""
    jobs = apps.get_model("sheets", "Job").objects
    for_groups = jobs.filter(group__isnull=False, state__in=("waiting", "running"))
    for_groups.update(state="cancelled", address_digest="", device_digest="")


class Migration(migrations.Migration):
    dependencies = [
        ("sheets", "0038_device_rows_without_is_hidden"),
    ]

    operations = [
        migrations.RunPython(cancel_analyses_for_groups, migrations.RunPython.noop),
        migrations.DeleteModel(
            name="GivenAway",
        ),
        migrations.RemoveField(
            model_name="job",
            name="first",
        ),
        migrations.RemoveField(
            model_name="job",
            name="group",
        ),
    ]
