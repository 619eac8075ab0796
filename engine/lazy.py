"""A value worked out when it is first asked for, and then simply there.

``functools.cached_property`` of Python 3.11 takes a lock at every first access, which costs more than most of the small
tables an attack is made of. What is kept here never changes, so two threads at worst work it out twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used like a property
    """A property that is worked out once for each object.

    >>> class Circle:
    ...     @lazy
    ...     def area(self):
    ...         return 3.14
    >>> circle = Circle()
    >>> circle.area, vars(circle)
    (3.14, {'area': 3.14})
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = self.work_out(instance)
        instance.__dict__[self.name] = value
        return value
