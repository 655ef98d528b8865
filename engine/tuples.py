"""Named tuples whose classes cost little.

``typing.NamedTuple`` compiles every annotation of a class and a constructor for it. A start defines about ninety such
classes, and that was a fifth of it. These are tuples with names as well, with the same methods; classes of as many
fields share the code of their constructors. A type checker sees ``typing.NamedTuple``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter as _getter  # what the fields of ``collections.namedtuple`` are

    _new = tuple.__new__

    def _annotations(body: dict[str, Any]) -> Iterable[str]:
        """The annotated names of the body of a class; from Python 3.14 on a body has them when it is asked."""
        if "__annotations__" not in body and sys.version_info >= (3, 14):
            import annotationlib

            annotate = annotationlib.get_annotate_from_class_namespace(body)
            if annotate is not None:
                return annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF)
        return body.get("__annotations__", ())

    @cache
    def _template(count: int) -> CodeType:
        """The code of the constructor of every class with so many fields."""
        values = "".join(f"value{number}, " for number in range(count))
        made: CodeType = eval(f"lambda cls, {values}: _new(cls, ({values}))").__code__
        return made

    def _constructor(fields: tuple[str, ...], defaults: dict[str, Any]) -> FunctionType:
        """``__new__`` of a class: the code is that of others, the names are its own."""
        code = _template(len(fields)).replace(co_name="__new__", co_varnames=("cls", *fields))
        return FunctionType(code, globals(), "__new__", tuple(defaults.values()))

    class _Fields(type):
        """Makes the annotated names of a class its fields, as ``typing.NamedTuple`` does."""

        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Fields:
            if any(getattr(base, "_fields", ()) for base in bases):  # has its fields, and adds methods
                return type.__new__(mcs, name, bases, body)
            fields = tuple(_annotations(body))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one with a default")
            for number, field in enumerate(fields):
                body[field] = _getter(number, f"Alias for field number {number}")
            body["__new__"] = _constructor(fields, defaults)
            body.update(__slots__=(), _fields=fields, _field_defaults=defaults, __match_args__=fields)
            return type.__new__(mcs, name, bases, body)

    class NamedTuple(tuple, metaclass=_Fields):
        """A tuple whose items have names: the annotations of the class, in their order."""

        @classmethod
        def _make(cls, values: Iterable[Any]) -> NamedTuple:
            """An instance with the values of an iterable. Raises TypeError if they are too many or too few."""
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, **named: Any) -> NamedTuple:
            """A copy with some fields replaced. Raises ValueError, as Python does before 3.13, else TypeError, for a
            field that there is not."""
            made = _new(
                self.__class__,
                [named.pop(field, value) for field, value in zip(self._fields, self, strict=True)],
            )
            if named:
                error = TypeError if sys.version_info >= (3, 13) else ValueError
                raise error(f"{self.__class__.__name__} has no field {', '.join(map(repr, named))}")
            return made

        def _asdict(self) -> dict[str, Any]:
            """The values by their fields' names, in order."""
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            """For pickle and copy."""
            return tuple(self)

        def __repr__(self) -> str:
            """The class and its fields, as they would be written."""
            shown = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({shown})"
