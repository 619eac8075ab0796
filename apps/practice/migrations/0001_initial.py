"""The models of practice, over the tables that the classroom made for them: nothing is created, nothing is copied."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('classroom', '0004_practice_moves_out'),
        ('dicee', '0002_events_are_append_only'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='PlayedGame',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('digest', models.JSONField()),
                        ('slips', models.JSONField(default=list)),
                        ('guesses', models.JSONField(default=list)),
                        ('finished_at', models.DateTimeField(db_index=True)),
                        ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='learning', to='dicee.seat')),
                    ],
                    options={
                        'db_table': 'classroom_playedgame',
                    },
                ),
                migrations.CreateModel(
                    name='SkillProfile',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('profile', models.JSONField()),
                        ('games', models.PositiveIntegerField()),
                        ('updated_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='skill', to='accounts.player')),
                    ],
                    options={
                        'db_table': 'classroom_skillprofile',
                    },
                ),
                migrations.CreateModel(
                    name='Answer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('source', models.CharField(choices=[('own', 'Own'), ('drill', 'Drill'), ('daily', 'Daily'), ('work', 'Work')], max_length=6)),
                        ('place', models.CharField(blank=True, max_length=12)),
                        ('position', models.CharField(max_length=80)),
                        ('concept', models.CharField(blank=True, max_length=20)),
                        ('choice', models.CharField(blank=True, max_length=20)),
                        ('lost', models.FloatField(null=True)),
                        ('box', models.CharField(blank=True, max_length=20)),
                        ('predicted', models.FloatField(null=True)),
                        ('truth', models.FloatField(null=True)),
                        ('took_ms', models.PositiveIntegerField(default=0)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='accounts.player')),
                        ('work', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='classroom.work')),
                    ],
                    options={
                        'db_table': 'classroom_answer',
                        'indexes': [models.Index(fields=['player', 'source', 'created_at'], name='classroom_a_player__f92499_idx')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('source', 'daily')), fields=('player', 'place', 'position'), name='one_daily_attempt')],
                    },
                ),
                migrations.CreateModel(
                    name='Drill',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.CharField(max_length=80)),
                        ('concept', models.CharField(max_length=20)),
                        ('source', models.CharField(choices=[('own', 'Own'), ('drill', 'Drill'), ('daily', 'Daily'), ('work', 'Work')], max_length=6)),
                        ('origin', models.CharField(blank=True, max_length=48)),
                        ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('streak', models.PositiveSmallIntegerField(default=0)),
                        ('interval_days', models.FloatField(default=0)),
                        ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drills', to='accounts.player')),
                    ],
                    options={
                        'db_table': 'classroom_drill',
                        'indexes': [models.Index(fields=['player', 'due_at'], name='classroom_d_player__b3971f_idx')],
                        'constraints': [models.UniqueConstraint(fields=('player', 'position'), name='one_drill_per_position')],
                    },
                ),
            ]
        )
    ]
