from datetime import date

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0023_crosses_of_groups'),
    ]

    operations = [
        # All that groups have so far is yet to be added up.
        migrations.AddField(
            model_name='group',
            name='changed_from',
            field=models.DateField(default=date(1990, 1, 1), null=True),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name='PlayerMonth',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.DateField()),
                ('sums', models.TextField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='months', to='sheets.groupplayer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'month'), name='player_month_once')],
            },
        ),
    ]
