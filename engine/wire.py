"""What crosses the wire: documents (camelCase outside, snake_case inside), operations and the one error shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Document(BaseModel):
    """An immutable message. Python code uses field names; the wire uses camelCase and nothing else."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        extra="forbid",
        frozen=True,
    )


class EngineError(ValueError):
    """Input the rules do not allow. Says which field, what is allowed and what was given."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "ERR_INVALID_INPUT",
        field: str = "",
        constraint: str = "",
        expected: Any = None,
        actual: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: dict[str, Any] = {
            "field": field,
            "constraint": constraint,
            "expected": expected,
            "actual": actual,
        }


I = TypeVar("I", bound=Document)  # noqa: E741
O = TypeVar("O", bound=Document)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Op(Generic[I, O]):
    """One operation of the engine's front door: a typed document in, a typed document out."""

    name: str
    summary: str
    input: type[I]
    output: type[O]
    run: Callable[..., O]
    #: It may take long, so ``run`` takes a second argument: predicted seconds beyond which it refuses.
    is_bounded: bool = False
