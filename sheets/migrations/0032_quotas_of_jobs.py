"""Digests of the requester of a job that waits or runs, for the quotas of the job queue."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0031_given_away_in_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='address_digest',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
        migrations.AddField(
            model_name='job',
            name='device_digest',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
    ]
