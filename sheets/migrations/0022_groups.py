"""Groups: people who play together, and what they have played."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0021_what_a_device_has'),
    ]

    operations = [
        migrations.CreateModel(
            name='Group',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_digest', models.CharField(max_length=64, unique=True)),
                ('touched', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('share_digest', models.CharField(max_length=64, null=True, unique=True)),
                ('share_number', models.PositiveIntegerField(default=0)),
                ('name', models.CharField(max_length=60)),
                ('last_number', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='GroupGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('revision', models.PositiveIntegerField(default=0)),
                ('is_open', models.BooleanField(default=True)),
                ('played', models.DateTimeField()),
                ('evening', models.DateField()),
                ('kind', models.CharField(max_length=8)),
                ('level_name', models.JSONField(default=dict)),
                ('level_id', models.CharField(blank=True, max_length=40)),
                ('level_digest', models.CharField(blank=True, max_length=16)),
                ('rating', models.PositiveSmallIntegerField(null=True)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='sheets.group')),
                ('scoring', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sheets.scoring')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sheets.table')),
                ('tally', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sheets.tally')),
            ],
        ),
        migrations.CreateModel(
            name='GroupPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('also', models.JSONField(default=list)),
                ('sign', models.PositiveSmallIntegerField(default=0)),
                ('is_retired', models.BooleanField(default=False)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='sheets.group')),
                ('merged_into', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='merged', to='sheets.groupplayer')),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='GroupResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('label', models.CharField(blank=True, max_length=40)),
                ('total', models.IntegerField(null=True)),
                ('points', models.IntegerField(null=True)),
                ('marks', models.PositiveSmallIntegerField(default=0)),
                ('place', models.PositiveSmallIntegerField()),
                ('won', models.FloatField()),
                ('chance', models.FloatField()),
                ('parts', models.JSONField(default=dict)),
                ('played', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='sheets.groupgame')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to='sheets.groupplayer')),
                ('typed', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sheets.groupplayer')),
            ],
            options={
                'ordering': ('place', 'seat'),
            },
        ),
        migrations.CreateModel(
            name='ForgottenName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('last_game', models.PositiveIntegerField()),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='forgotten', to='sheets.group')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('group', 'digest'), name='forgotten_once')],
            },
        ),
        migrations.CreateModel(
            name='Evening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('place', models.CharField(blank=True, max_length=60)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evenings', to='sheets.group')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('group', 'day'), name='evening_once')],
            },
        ),
        migrations.AddIndex(
            model_name='groupgame',
            index=models.Index(fields=['group', '-evening', '-number'], name='group_evenings'),
        ),
        migrations.AddIndex(
            model_name='groupgame',
            index=models.Index(condition=models.Q(('is_open', True)), fields=['group'], name='group_open'),
        ),
        migrations.AddIndex(
            model_name='groupgame',
            index=models.Index(fields=['group', 'level_digest', 'number'], name='group_levels'),
        ),
        migrations.AddConstraint(
            model_name='groupgame',
            constraint=models.UniqueConstraint(fields=('group', 'number'), name='group_game_once'),
        ),
        migrations.AddConstraint(
            model_name='groupgame',
            constraint=models.UniqueConstraint(fields=('group', 'scoring'), name='group_scoring_once'),
        ),
        migrations.AddConstraint(
            model_name='groupgame',
            constraint=models.UniqueConstraint(fields=('group', 'tally'), name='group_tally_once'),
        ),
        migrations.AddConstraint(
            model_name='groupgame',
            constraint=models.UniqueConstraint(fields=('group', 'table'), name='group_table_once'),
        ),
        migrations.AddConstraint(
            model_name='groupplayer',
            constraint=models.UniqueConstraint(fields=('group', 'number'), name='group_player_once'),
        ),
        migrations.AddIndex(
            model_name='groupresult',
            index=models.Index(fields=['player', '-played', 'total', 'won', 'chance'], name='result_figures'),
        ),
        migrations.AddConstraint(
            model_name='groupresult',
            constraint=models.UniqueConstraint(fields=('game', 'seat'), name='result_once'),
        ),
    ]
