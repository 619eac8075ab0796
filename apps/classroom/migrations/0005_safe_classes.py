"""What keeps a class safe: time zone, device sessions, sharing, hand-over, notices, and ten minutes to undo."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
        ('classroom', '0004_practice_moves_out'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='deleted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='classroom',
            name='deleted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='classroom',
            name='notices',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='classroom',
            name='offered_to',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='offered_classes', to='accounts.player'),
        ),
        migrations.AddField(
            model_name='classroom',
            name='sharing',
            field=models.BooleanField(default=True),  # classes that exist keep what they have
        ),
        migrations.AlterField(
            model_name='classroom',
            name='sharing',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='classroom',
            name='stay',
            field=models.CharField(choices=[('lesson', 'Two hours, for devices that go round'), ('day', 'Twelve hours'), ('long', 'Until the student signs out, for devices of their own')], default='long', max_length=8),
        ),
        migrations.AddField(
            model_name='classroom',
            name='time_zone',
            field=models.CharField(default='UTC', max_length=40),
        ),
        migrations.AddField(
            model_name='membership',
            name='deleted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
