"""What crosses the wire: documents (camelCase outside, snake_case inside), operations and the one error shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel


class Document(BaseModel):
    """An immutable message. Python code uses field names; the wire uses camelCase and nothing else."""

    model_config = ConfigDict(
        defer_build=True,  # a process builds the checks of the documents it meets, not of all
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


def refuse(
    message: str,
    *,
    field: str,
    constraint: str,
    expected: Any = None,
    actual: Any = None,
    code: str = "ERR_INVALID_INPUT",
) -> NoReturn:
    """Raise an :class:`EngineError`: what is wrong, in which field, what the rule is and what was given."""
    raise EngineError(message, code=code, field=field, constraint=constraint, expected=expected, actual=actual)


def invalid_document(error: ValidationError) -> EngineError:
    """What is wrong with a document, named by its path on the wire: an unknown field first, it explains the rest."""
    problems = error.errors(include_url=False)
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    context = first.get("ctx", {})
    inner = context.get("error")
    if isinstance(inner, EngineError):
        return inner
    field = ".".join(str(part) for part in first["loc"])
    limits = {name: value for name, value in context.items() if name != "error"}
    return EngineError(
        f"{field or 'input'}: {'is not a known field' if first['type'] == 'extra_forbidden' else first['msg']}",
        field=field,
        constraint=first["type"],
        expected=limits or first["msg"],
        actual=first["input"] if isinstance(first["input"], (str, int, float, bool, type(None))) else None,
    )


@contextmanager
def named_fields() -> Iterator[None]:
    """Read documents inside: the first fault of one becomes an error that names the field."""
    try:
        yield
    except ValidationError as error:
        raise invalid_document(error) from error


Input = TypeVar("Input", bound=Document)
Output = TypeVar("Output", bound=Document)


@dataclass(frozen=True, slots=True)
class Op(Generic[Input, Output]):
    """One operation of the engine's front door: a typed document in, a typed document out."""

    name: str
    summary: str
    input: type[Input]
    output: type[Output]
    run: Callable[..., Output]
    #: It may take long, so ``run`` takes a second argument: predicted seconds beyond which it refuses.
    is_bounded: bool = False
