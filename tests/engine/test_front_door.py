"""``python -m engine``: one answer per line, in order, whatever the lines say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import answer, main, serve
from engine.compiled import is_compiled
from engine.contracts import OPS, call

ROOT = Path(__file__).resolve().parents[2]


def served(*lines: str) -> list[dict[str, Any]]:
    sink = io.StringIO()
    serve(io.StringIO("".join(line + "\n" for line in lines)), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def request(expression: str = "D6") -> str:
    return json.dumps({"op": "dice.distribution", "input": {"expression": expression}})


def test_answers_come_in_order() -> None:
    means = [reply["result"]["mean"] for reply in served(request("D6"), request("D4"), request("3"))]
    assert means == [3.5, 2.5, 3.0]


@pytest.mark.parametrize("line", ["{", "not json", "[]", '"op"', "{}", '{"op": 3}', '{"op": null, "input": {}}'])
def test_a_bad_line_is_answered_and_does_not_end_the_run(line: str) -> None:
    bad, good = served(line, request())
    assert not bad["ok"]
    assert bad["error"]["code"] == "ERR_INVALID_JSON"
    assert set(bad["error"]["details"]) == {"field", "constraint", "expected", "actual"}
    assert good["ok"]


def test_blank_lines_are_skipped() -> None:
    assert len(served("", "   ", request())) == 1


def test_an_unknown_operation_lists_the_known_ones() -> None:
    error = answer('{"op": "dice.cheat", "input": {}}')["error"]
    assert (error["code"], error["details"]["field"]) == ("ERR_UNKNOWN_OP", "op")
    assert error["details"]["expected"] == sorted(OPS)


def test_an_unknown_field_is_named_even_beside_other_mistakes() -> None:
    error = call("dice.roll", {"expression": 3, "sedd": 1})["error"]
    assert (error["code"], error["details"]["field"]) == ("ERR_INVALID_INPUT", "sedd")
    assert "not a known field" in error["message"]


@pytest.mark.parametrize("document", [None, [], "text", 3])
def test_a_document_that_is_no_object_is_refused(document: Any) -> None:
    error = call("dice.roll", document)["error"]
    assert (error["code"], error["details"]["field"]) == ("ERR_INVALID_INPUT", "")


def test_python_names_are_not_wire_names() -> None:
    weapon = {"attacks": 1, "lethal_hits": True}
    error = call("warhammer40k.attack", {"weapons": [weapon]})["error"]
    assert error["details"]["field"] == "weapons.0.lethal_hits"


def test_a_missing_input_is_an_empty_document() -> None:
    assert answer('{"op": "warhammer40k.attack"}')["ok"]


def test_every_operation_names_itself_and_its_documents() -> None:
    for name, op in OPS.items():
        assert name == op.name
        assert op.summary
        assert op.input.model_json_schema(by_alias=True)["type"] == "object"


# -- the process --------------------------------------------------------------------------------------------------


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=ROOT, check=False)


def test_thousands_of_lines_in_one_process() -> None:
    lines = [request(f"{1 + n % 20}D6") if n % 7 else "broken" for n in range(3000)]
    done = run(stdin="\n".join(lines) + "\n")
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, len(replies)) == (0, 3000)
    for n, reply in enumerate(replies):
        assert reply["ok"] is bool(n % 7)
        if reply["ok"]:
            assert reply["result"]["mean"] == pytest.approx(3.5 * (1 + n % 20))


def test_one_document_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "roll.json"
    path.write_text('{"expression": "D6", "seed": 1}')
    assert main(["dice.roll", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]


@pytest.mark.parametrize(("content", "code"), [("{", "ERR_INVALID_JSON"), ('{"seed": 1}', "ERR_INVALID_INPUT")])
def test_one_bad_document_fails(content: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "roll.json"
    path.write_text(content)
    assert main(["dice.roll", str(path)]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_missing_file_and_a_wrong_number_of_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice.roll", "nowhere.json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "ERR_INVALID_JSON"
    assert main(["dice.roll"]) == 2
    assert "usage" in capsys.readouterr().err


def test_lines_are_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(request() + "\n"))
    assert main([]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert is_compiled(), "a program that calls main() goes on with machine code"
