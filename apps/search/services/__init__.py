"""One search over everything that has an address: an index of titles in this process, and what a player saved."""

from apps.search.services.finding import Found, Result, find, suggestions
from apps.search.services.index import Entry, Kind, index

__all__ = ["Entry", "Found", "Kind", "Result", "find", "index", "suggestions"]
