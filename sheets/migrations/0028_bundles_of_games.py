"""What games add up to that are alike in year, level, number of players and kind."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def say_all_changed(apps: Any, _schema_editor: object) -> None:
    """All that groups have so far is yet to be added up."""
    results = apps.get_model("sheets", "GroupResult").objects.order_by()
    rows = results.values_list(
        "game__group", "game__level_digest", "game__evening__year", "game__kind", "chance"
    )
    alike = {(*told, round(1 / chance)) for *told, chance in rows.distinct()}
    GameBundle = apps.get_model("sheets", "GameBundle")
    GameBundle.objects.bulk_create(
        (
            GameBundle(group_id=group, level_digest=digest, year=year, kind=kind, players=players)
            for group, digest, year, kind, players in sorted(alike)
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0027_act_of_picture'),
    ]

    operations = [
        migrations.CreateModel(
            name='GameBundle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level_digest', models.CharField(blank=True, max_length=16)),
                ('year', models.PositiveSmallIntegerField()),
                ('players', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=8)),
                ('sums', models.TextField(blank=True)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bundles', to='sheets.group')),
            ],
        ),
        migrations.DeleteModel(
            name='CrossedInYear',
        ),
        migrations.AddIndex(
            model_name='gamebundle',
            index=models.Index(condition=models.Q(('sums', '')), fields=['group'], name='bundle_changed'),
        ),
        migrations.AddConstraint(
            model_name='gamebundle',
            constraint=models.UniqueConstraint(fields=('group', 'level_digest', 'year', 'players', 'kind'), name='bundle_once'),
        ),
        migrations.RunPython(say_all_changed, migrations.RunPython.noop),
    ]
