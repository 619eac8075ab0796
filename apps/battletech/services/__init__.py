"""The record sheet between the address and the engine.

``actions`` is what can be done to a sheet and its replay, ``address`` the permalink, ``risk`` every number on the page.
``doll`` and ``log`` turn state and outcomes into what is drawn. ``editor`` reads and writes sheets,
``sheet`` opens one.
"""
