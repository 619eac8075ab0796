"""Play: commands are decided into events, events are applied, a game is the fold of its events.

``decide(state, command, stamp, roller)`` → events (``commands``); ``apply(state, event)`` and ``replay(events)`` →
state (``state``); what is stored and sent is in ``events``.
"""
