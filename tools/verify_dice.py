"""Check every die of a finished game with nothing but Python: python verify_dice.py game.json (saved from "Verify")."""

import hashlib
import hmac
import json
import sys

game = json.load(open(sys.argv[1]))
seed = bytes.fromhex(game["seed"])
assert hashlib.sha256(seed).hexdigest() == game["commitment"], "the seed is not the one promised before the game"
for roll in game["rolls"]:
    name, number = game["gameId"], roll["sequence"]
    if "daily" in game:  # everybody's dice of a day: named by the day and the place in the game
        name, number = f"daily {game['daily']}", 3 * (roll["turnNumber"] - 1) + roll["rollNumber"]
    label, faces, counter = f"{name}|{number}".encode(), [], 0
    while len(faces) < len(roll["rolled"]):
        block = hmac.new(seed, label + b"|" + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        faces += [byte % 6 + 1 for byte in block if byte < 252]  # 252 = 42 × 6: no face is favoured
        counter += 1
    assert faces[: len(roll["rolled"])] == roll["rolled"], f"roll {roll['sequence']} was changed"
    assert hmac.new(seed, label, hashlib.sha256).hexdigest()[:16] == roll["proof"], f"proof {roll['sequence']}"
print(f"{len(game['rolls'])} rolls checked: every die is the one promised before the game.")
