"""Every reference case, whole: the answer must be the expected document and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battletech.ops import OPS
from tests.reference import rows

CASES = rows("battletech/cases.sample")
RESOLVE = next(op for op in OPS if op.name == "battletech.resolve")


def answer(document: dict[str, Any]) -> dict[str, Any]:
    request = RESOLVE.input.model_validate(document, by_alias=True, by_name=False)
    return RESOLVE.run(request).model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_reference_case_resolves_exactly(case: dict[str, Any]) -> None:
    assert answer({part: case[part] for part in ("rules", "mech", "trigger")}) == case["expect"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_reference_case_resolves_the_same_under_the_wire_name_of_its_profile(case: dict[str, Any]) -> None:
    wire_name = {"seed": "standard", "tw": "total_warfare"}[case["rules"]["profile"]]
    rules = {**case["rules"], "profile": wire_name}
    assert answer({"rules": rules, "mech": case["mech"], "trigger": case["trigger"]}) == case["expect"]
