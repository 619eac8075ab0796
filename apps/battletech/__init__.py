"""The BattleTech room: a record sheet that knows when it will blow up."""
