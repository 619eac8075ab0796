"""The record sheet between the address and the engine.

``actions`` is what can be done to a sheet, ``address`` the permalink, ``sheet`` opens one and does what was asked.
``risk`` is every number on the page; ``doll`` and ``log`` turn state and outcomes into what is drawn, ``page`` gathers
it all for the templates. ``editor`` reads and writes sheets.
"""
