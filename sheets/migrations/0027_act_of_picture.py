"""The photo of a sheet knows with which changes it came."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0025_games_of_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='sheetpicture',
            name='act',
            field=models.CharField(blank=True, max_length=16),
        ),
    ]
