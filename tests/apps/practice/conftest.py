"""The standard game, solved, as for the class rooms."""

from tests.apps.classroom.conftest import solved

__all__ = ["solved"]
