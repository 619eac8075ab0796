"""The odds engine: exact probability for dice games, with no web framework, clock or global randomness.

Conventions, stated once:

* Python is snake_case; the wire is camelCase (``engine.wire`` does it mechanically).
* A distribution is an immutable :class:`engine.dice.pmf.Pmf`; on the wire it is an array whose index is the value.
* Whatever rolls dice takes an injected roller, so the same seed gives the same outcome.
* Invalid input raises :class:`engine.wire.EngineError` (a ``ValueError``) that names the field and the limit.
"""
