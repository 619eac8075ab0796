"""A short link is a name for inputs that never change; results are computed anew when it is opened."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db import models
from django.urls import reverse
from django.utils import timezone


class Snapshot(models.Model):
    """The inputs of one tool. Its key is derived from its content, so equal inputs share a link."""

    key = models.CharField(primary_key=True, max_length=44, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    tool = models.CharField(max_length=80)
    version = models.PositiveSmallIntegerField(default=1)
    document = models.JSONField()
    title = models.CharField(max_length=120, blank=True)
    description = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.key}: {self.tool}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("A snapshot is immutable: shorten the changed inputs instead.")
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("share:open", args=[self.key])

    @property
    def permalink(self) -> str:
        """The full address the short one stands for."""
        query = urlencode([(name, value) for name, value in self.document["query"]])
        return f"{self.document['path']}?{query}" if query else str(self.document["path"])
