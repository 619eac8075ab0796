"""The door to the engine: nothing else in this app imports it. One module a page."""
