"""The room's door to the engine, one module per page: answers, advice, dice. Nothing else here imports the engine."""
