"""A file of a game that a group has is known again; and who began at a table."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0024_months_of_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='groupgame',
            name='content',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='groupgame',
            name='starter',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='scoring',
            name='file_digest',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddIndex(
            model_name='groupgame',
            index=models.Index(fields=['group', 'content'], name='group_contents'),
        ),
    ]
