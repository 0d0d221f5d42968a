"""Undo becomes linear: one history per level, with the undone changes after its position."""

from typing import Any

from django.db import migrations, models


def linear(changes: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the applied changes, and the undone ones in the order in which redo applies them.

    A stored undo or redo disappears if it reversed the change next to it as a whole. All others
    become changes of their own: they combined the edits of several devices.
    """
    applied: list[Any] = []
    undone: list[Any] = []
    original: dict[int, int] = {}  # number of the change that an undo or redo concerns
    for change in changes:
        number = original[change.number] = original.get(change.turns, change.turns or 0)
        if applied and number == applied[-1].number and _is_reversed(applied[-1], change):
            undone.append(applied.pop())
        elif undone and number == undone[-1].number and _is_repeated(undone[-1], change):
            applied.append(undone.pop())
        else:
            del original[change.number]
            applied.append(change)
            undone.clear()
    return applied, undone[::-1]


def _is_reversed(change: Any, undo: Any) -> bool:
    return (undo.before, undo.after) == (change.after, change.before)


def _is_repeated(change: Any, redo: Any) -> bool:
    return (redo.before, redo.after) == (change.before, change.after)


def make_linear(apps: Any, schema_editor: Any) -> None:
    """Store each history that contains an undo as applied and undone changes."""
    levels = apps.get_model("sheets", "WorkshopLevel").objects
    changes = apps.get_model("sheets", "DraftChange").objects
    turned = changes.filter(turns__isnull=False).values("level")
    for level in levels.filter(pk__in=turned).only("pk").iterator():
        stored = changes.filter(level=level)
        applied, undone = linear(list(stored.order_by("number")))
        kept = [*applied, *undone]
        stored.exclude(pk__in=[change.pk for change in kept]).delete()
        # The order of the numbers stays, so that no new number is in use.
        for number, change in enumerate(kept, start=1):
            stored.filter(pk=change.pk).update(number=number)
        levels.filter(pk=level.pk).update(position=len(applied))


class Migration(migrations.Migration):
    dependencies = (("sheets", "0040_games_with_players_and_ratings_by_month"),)

    operations = (
        migrations.RunPython(make_linear, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField("draftchange", "turns"),
        migrations.AddField(
            "draftchange",
            "revision",
            models.PositiveIntegerField(default=0),
        ),
    )
