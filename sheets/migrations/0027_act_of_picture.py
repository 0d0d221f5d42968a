"""The photo of a sheet knows with which changes it came."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0026_dice2_of_groups'),
    ]

    operations = [
        migrations.AddField(
            model_name='sheetpicture',
            name='act',
            field=models.CharField(blank=True, max_length=16),
        ),
    ]
