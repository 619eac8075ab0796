"""``python -m engine``: JSON Lines in, JSON Lines out; ``python -m engine OP FILE`` answers one document."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from engine import compiled
from engine.contracts import call

FEW = 20  # requests up to which machine code is not worth the time it takes to make or to load


def _not_json(message: str) -> dict[str, Any]:
    details = {"field": "", "constraint": "json", "expected": '{"op": …, "input": {…}}', "actual": None}
    return {"ok": False, "error": {"code": "ERR_INVALID_JSON", "message": message, "details": details}}


def answer(line: str) -> dict[str, Any]:
    """One request line to one answer. Nothing a line says can end the run."""
    try:
        request = json.loads(line)
    except ValueError as error:
        return _not_json(f"This line is not JSON: {error}")
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        return _not_json("A request is an object with a string 'op' and an 'input' document.")
    return call(request["op"], request.get("input", {}))


def serve(source: TextIO, sink: TextIO) -> None:
    for count, line in enumerate(filter(str.strip, source)):
        if count == FEW:
            compiled.interpret(False)
        sink.write(json.dumps(answer(line)) + "\n")
        sink.flush()


def main(argv: Sequence[str]) -> int:
    with compiled.interpreting():
        return _run(argv)


def _run(argv: Sequence[str]) -> int:
    if not argv:
        serve(sys.stdin, sys.stdout)
        return 0
    if len(argv) != 2:
        print("usage: python -m engine [OP FILE]", file=sys.stderr)
        return 2
    op, path = argv
    try:
        document = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        reply = _not_json(f"{path}: {error}")
    else:
        reply = call(op, document)
    print(json.dumps(reply))
    return 0 if reply["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
