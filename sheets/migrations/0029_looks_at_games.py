"""Games can be looked at again, beside the server as balance reports are made."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sheets', '0028_bundles_of_games'),
    ]

    operations = [
        migrations.RenameModel(
            old_name='BalanceJob',
            new_name='Job',
        ),
        migrations.AlterField(
            model_name='job',
            name='level',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='balance_jobs', to='sheets.workshoplevel'),
        ),
        migrations.AddField(
            model_name='job',
            name='table',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='sheets.table'),
        ),
        migrations.AddField(
            model_name='job',
            name='file',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='sheets.gamefile'),
        ),
    ]
