"""Results know whether bots took part, and levels that were only typed have a digest of their name."""

from datetime import date
from hashlib import sha256
from typing import Any

from django.db import migrations, models

AT_ONCE = 2000


def mark_games_with_bots(apps: Any, _schema_editor: object) -> None:
    """Only the results of bots have a label."""
    results = apps.get_model("sheets", "GroupResult").objects
    with_bots = results.exclude(label="").order_by().values("game")
    results.filter(game__in=with_bots).update(has_bots=True)


def tell_typed_levels_apart(apps: Any, _schema_editor: object) -> None:
    """Give games whose level has only a name the digest of it."""
    games = apps.get_model("sheets", "GroupGame").objects
    typed = games.filter(kind="typed", level_digest="").only("level_name")
    changed = []
    for game in typed.iterator(chunk_size=AT_ONCE):
        name = min(game.level_name.values(), default="").casefold()
        if name:
            game.level_digest = sha256(f"name {name}".encode()).hexdigest()[:16]
            changed.append(game)
    games.bulk_update(changed, ["level_digest"], batch_size=AT_ONCE)


def add_up_anew(apps: Any, _schema_editor: object) -> None:
    """Sums have games with bots and shared wins in them that count in another way now."""
    results = apps.get_model("sheets", "GroupResult").objects.order_by()
    GameBundle = apps.get_model("sheets", "GameBundle")
    GameBundle.objects.all().delete()
    rows = results.values_list(
        *("game__group", "game__level_digest", "game__evening__year", "game__kind"),
        *("has_bots", "chance"),
    )
    GameBundle.objects.bulk_create(
        (
            GameBundle(
                group_id=group,
                level_digest=digest,
                year=year,
                kind=kind,
                has_bots=has_bots,
                players=players,
            )
            for group, digest, year, kind, has_bots, players in sorted(
                {(*alike, round(1 / chance)) for *alike, chance in rows.distinct()}
            )
        ),
        batch_size=500,
    )
    apps.get_model("sheets", "Group").objects.update(changed_from=date(1, 1, 1))


class Migration(migrations.Migration):
    dependencies = (("sheets", "0035_time_zones"),)

    operations = [
        migrations.AddField("groupresult", "has_bots", models.BooleanField(default=False)),
        migrations.AddField("gamebundle", "has_bots", models.BooleanField(default=False)),
        migrations.RemoveConstraint("gamebundle", "bundle_once"),
        migrations.AddConstraint(
            "gamebundle",
            models.UniqueConstraint(
                fields=("group", "level_digest", "year", "players", "kind", "has_bots"),
                name="bundle_once",
            ),
        ),
        migrations.RemoveIndex("groupresult", "result_figures"),
        migrations.AddIndex(
            "groupresult",
            models.Index(
                fields=["player", "-played", "total", "won", "chance", "has_bots"],
                name="result_figures",
            ),
        ),
        migrations.RunPython(mark_games_with_bots, migrations.RunPython.noop),
        migrations.RunPython(tell_typed_levels_apart, migrations.RunPython.noop),
        migrations.RunPython(add_up_anew, migrations.RunPython.noop),
    ]
