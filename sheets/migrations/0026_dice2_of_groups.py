"""Open games of Dice² in groups say what they are; those that are over are known by their files."""

from typing import Any

from django.db import migrations


def say_what_is_played(apps: Any, _editor: Any) -> None:
    """Kept as games at a table until now, without a name.

    Those that are over are looked at once more, so that a file of one is known again.
    """
    games = apps.get_model("sheets", "GroupGame").objects
    at_tables = games.filter(table__isnull=False).exclude(table__game="")
    for pk, played in at_tables.filter(kind="table").values_list("pk", "table__game"):
        games.filter(pk=pk).update(kind="dice2", level_id=played)
    over = at_tables.filter(is_open=False, content="").values_list("pk", flat=True)
    games.filter(pk__in=list(over)).update(revision=0)


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0025_games_of_files'),
    ]

    operations = [
        migrations.RunPython(say_what_is_played, migrations.RunPython.noop),
    ]
