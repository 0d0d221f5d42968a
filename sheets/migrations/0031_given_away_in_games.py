"""Groups have games looked at again, and keep what everybody gave away in them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0030_advice_at_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='first',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='job',
            name='group',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='sheets.group'),
        ),
        migrations.CreateModel(
            name='GivenAway',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine', models.PositiveSmallIntegerField()),
                ('points', models.FloatField()),
                ('within', models.FloatField()),
                ('clear', models.FloatField()),
                ('decisions', models.PositiveSmallIntegerField()),
                ('mistakes', models.PositiveSmallIntegerField()),
                ('parts', models.JSONField(default=list)),
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='given', to='sheets.groupresult')),
            ],
        ),
    ]
