"""What people of a group cross on a level, and how long their games take."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0022_groups'),
    ]

    operations = [
        migrations.AddField(
            model_name='groupgame',
            name='seconds',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='groupresult',
            name='crossed',
            field=models.CharField(blank=True, max_length=169),
        ),
        migrations.CreateModel(
            name='GroupLevel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=16)),
                ('document', models.JSONField()),
                ('is_bought', models.BooleanField(default=False)),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='levels', to='sheets.group')),
            ],
        ),
        migrations.CreateModel(
            name='CrossedInYear',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('sheets', models.PositiveIntegerField(default=0)),
                ('counts', models.JSONField()),
                ('level', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='years', to='sheets.grouplevel')),
            ],
        ),
        migrations.AddConstraint(
            model_name='grouplevel',
            constraint=models.UniqueConstraint(fields=('group', 'digest'), name='group_level_once'),
        ),
        migrations.AddConstraint(
            model_name='crossedinyear',
            constraint=models.UniqueConstraint(fields=('level', 'year'), name='crossed_once'),
        ),
    ]
