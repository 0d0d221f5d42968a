"""One-time links for another device go when the device that made them forgets all."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0032_quotas_of_jobs'),
    ]

    operations = [
        migrations.AddField(
            model_name='handover',
            name='device_digest',
            field=models.CharField(blank=True, db_index=True, default='', max_length=64),
            preserve_default=False,
        ),
    ]
