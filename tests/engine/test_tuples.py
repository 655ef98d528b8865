"""The cheap named tuples do what ``typing.NamedTuple`` does."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.tuples import NamedTuple


class Usual(typing.NamedTuple):
    """What is imitated."""

    first: int
    second: str
    third: tuple[int, ...] = ()
    fourth: int | None = None


class Cheap(NamedTuple):
    """A record of four fields."""

    first: int
    second: str
    third: tuple[int, ...] = ()
    """A field with a default."""
    fourth: int | None = None

    @property
    def doubled(self) -> int:
        """Twice the first."""
        return 2 * self.first


class Longer(Cheap):
    """The same fields, and a method."""

    __slots__ = ()

    def trebled(self) -> int:
        """Three times the first."""
        return 3 * self.first


VALUES = st.lists(st.integers(), max_size=6)
NAMED = st.dictionaries(st.sampled_from(["first", "second", "third", "fourth", "fifth"]), st.integers())


def _made(call: Any, *values: Any, **named: Any) -> Any:
    """What a call returns, as a tuple, or the class of its error."""
    try:
        return tuple(call(*values, **named))
    except (TypeError, ValueError) as error:
        return type(error)


@given(VALUES, NAMED)
def test_the_constructor_takes_and_refuses_what_that_of_typing_does(
    values: list[int], named: dict[str, int]
) -> None:
    assert _made(Cheap, *values, **named) == _made(Usual, *values, **named)
    assert _made(Longer, *values, **named) == _made(Usual, *values, **named)


@given(VALUES)
def test_an_iterable_is_taken_and_refused_alike(values: list[int]) -> None:
    assert _made(Cheap._make, values) == _made(Usual._make, values)


@given(NAMED)
def test_fields_are_replaced_and_refused_alike(named: dict[str, int]) -> None:
    cheap, usual = Cheap(1, "b", (3,)), Usual(1, "b", (3,))
    assert _made(cheap._replace, **named) == _made(usual._replace, **named)


def test_it_is_a_tuple_with_names() -> None:
    cheap, usual = Cheap(1, "b", fourth=4), Usual(1, "b", fourth=4)
    assert cheap == usual
    assert hash(cheap) == hash(usual)
    assert (cheap.first, cheap.second, cheap.third, cheap.fourth, cheap.doubled) == (1, "b", (), 4, 2)
    assert cheap._asdict() == usual._asdict()
    assert (Cheap._fields, Cheap._field_defaults) == (Usual._fields, Usual._field_defaults)
    assert repr(cheap) == repr(usual).replace("Usual", "Cheap")
    match cheap:
        case Cheap(first, _, third, _):
            assert (first, third) == (1, ())
        case _:  # pragma: no cover
            pytest.fail("did not match")


@pytest.mark.parametrize("record", [Cheap(1, "b"), Longer(1, "b")])
def test_copies_and_pickles_are_the_same(record: Cheap) -> None:
    for twin in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert twin == record
        assert type(twin) is type(record)


def test_a_subclass_keeps_the_fields() -> None:
    longer = Longer(2, "b")._replace(first=5)
    assert type(longer) is Longer
    assert longer.trebled() == 15
    assert longer._fields == Cheap._fields


def test_nothing_can_be_set_on_one() -> None:
    with pytest.raises(AttributeError):
        Cheap(1, "b").first = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Cheap(1, "b").sixth = 2  # type: ignore[attr-defined]


def test_a_default_before_a_field_without_one_is_refused() -> None:
    with pytest.raises(TypeError, match="without a default"):

        class Wrong(NamedTuple):  # type: ignore[misc]
            first: int = 1
            second: str  # type: ignore[misc]
