"""Games have their number of players, and only ratings are stored by month."""

from datetime import date

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, Exists, OuterRef, Subquery


def count_players(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Count the players of each game, and mark games with bots."""
    results = apps.get_model("sheets", "GroupResult").objects.filter(game=OuterRef("pk"))
    counts = results.order_by().values("game").annotate(count=Count("pk")).values("count")
    games = apps.get_model("sheets", "GroupGame").objects
    games.filter(Exists(results)).update(
        players=Subquery(counts), has_bots=Exists(results.filter(has_bots=True))
    )


def rate_again(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let all ratings be computed again when somebody looks at them."""
    apps.get_model("sheets", "Group").objects.update(changed_from=date(1990, 1, 1))


class Migration(migrations.Migration):
    dependencies = [
        ("sheets", "0039_no_points_given_away"),
    ]

    operations = [
        migrations.AddField(
            model_name="groupgame",
            name="players",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="groupgame",
            name="has_bots",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(count_players, migrations.RunPython.noop),
        migrations.RunPython(rate_again, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name="groupresult",
            name="result_figures",
        ),
        migrations.RemoveField(
            model_name="groupresult",
            name="chance",
        ),
        migrations.RemoveField(
            model_name="groupresult",
            name="has_bots",
        ),
        migrations.AddIndex(
            model_name="groupresult",
            index=models.Index(fields=["player", "-played"], name="result_of_player"),
        ),
        migrations.DeleteModel(
            name="GameBundle",
        ),
        migrations.DeleteModel(
            name="PlayerMonth",
        ),
        migrations.CreateModel(
            name="RatingMonth",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("month", models.DateField()),
                ("course", models.JSONField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_months",
                        to="sheets.groupplayer",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "month"), name="rating_month_once"
                    )
                ],
            },
        ),
    ]
