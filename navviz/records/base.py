"""The base of all records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import RecordError

_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a dictionary",
    "tuple_type": "a list or tuple",
}
"""What a field takes, by pydantic's type of fault."""

_QUOTED = 60
"""Characters of a refused value that the sentence shows; it may be a whole prompt."""


def refusal(record: str, fields: Iterable[str], error: ValidationError) -> RecordError:
    """Return the first fault of `error` as an error of NavViz, and how many more there are."""
    faults = error.errors(include_url=False)
    # an empty record lacks everything; naming one field after another would take many tries
    missing = []
    for fault in faults:
        if fault["type"] == "missing" and not _in_position(fault):
            missing.append(_place(fault))
    if missing and len(missing) == len(faults) > 1:
        what = f"{record} lacks {', '.join(missing[:-1])} and {missing[-1]}"
        return RecordError(what, "give them by name")
    what, do = _fault_and_remedy(record, fields, faults[0])
    # the members of a union are one fault of one field, told once for each
    others = len({_place(fault) for fault in faults}) - 1
    if others:
        what += f"; {others} more {'field is' if others == 1 else 'fields are'} wrong"
    return RecordError(what, do, field=_place(faults[0]))


def _fault_and_remedy(record: str, fields: Iterable[str], fault: Any) -> tuple[str, str]:  # noqa: ANN401 - pydantic's
    """Return what is wrong with a field, and what to do."""
    kind = fault["type"]
    if _in_position(fault):
        return f"{_value(fault)} is no position", "give (x, y, z) in metres, or (lat, lon)"
    if kind == "extra_forbidden":
        choices = f"choose among: {', '.join(fields)}"
        # of a record within this one the fields are not at hand
        return f"is no field of {record}", choices if len(fault["loc"]) == 1 else ""
    if kind == "missing":
        return f"{record} lacks it", "give it by name"
    if kind == "frozen_instance":
        return f"{record} does not change", "make another one with model_copy(update={...})"
    return _wrong_value(fault), ""


def _wrong_value(fault: Mapping[str, Any]) -> str:
    kind = fault["type"]
    if kind in {"value_error", "assertion_error"}:
        return str(fault["ctx"]["error"]).rstrip(".")
    wanted = _KINDS.get(kind)
    if kind in {"enum", "literal_error"}:
        wanted = fault["ctx"]["expected"]
    if wanted is not None:
        return f"must be {wanted}, not {_value(fault)}"
    message = fault["msg"].replace("Input should", "must")
    return f"{message[:1].lower()}{message[1:]}, not {_value(fault)}"


def _in_position(fault: Mapping[str, Any]) -> bool:
    """Whether a fault lies in a position, whose union of types says the same several times."""
    return fault["loc"][:1] in {("places",), ("position",)}


def _place(fault: Mapping[str, Any]) -> str:
    """Name the field; names of a union's members and of its types are no part of it."""
    if fault["loc"][:1] == ("places",):
        return ".".join(map(str, fault["loc"][:2]))
    names = [str(part) for part in fault["loc"] if "[" not in str(part)]
    return ".".join(names)


def _value(fault: Mapping[str, Any]) -> str:
    value = fault["input"]
    shown = repr(value)
    if len(shown) > _QUOTED:
        shown = f"{shown[:_QUOTED]}…"
    return f"{shown} ({type(value).__name__})"


Position = tuple[float, float, float] | tuple[float, float]
"""``(x, y, z)`` in metres, z up; where the world is a street graph ``(lat, lon)`` in degrees, with
the altitude in metres where it is known.
"""

Quaternion = tuple[float, float, float, float]
"""``(x, y, z, w)``, which turns a look to the north (indoors: along +y) into the agent's."""

NodeId = str | int
"""How users name a node or an episode; records keep text, as files have it."""

Place = NodeId | Sequence[float]
"""A node's id, or a position in its stead."""


class Record(BaseModel):
    """Base of all records: frozen, and strict about unknown fields.

    Raises `RecordError` for a field that is missing, unknown or of a wrong type; `model_validate`,
    which readers call, raises pydantic's own error with all faults.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # type checkers see the signature that pydantic makes of the fields
    if not TYPE_CHECKING:

        def __init__(self, /, **fields: object) -> None:
            """Check the fields, as `BaseModel` does, and refuse in one sentence."""
            try:
                self.__pydantic_validator__.validate_python(fields, self_instance=self)
            except ValidationError as error:
                raise refusal(type(self).__name__, type(self).model_fields, error) from error

        # pydantic calls an `__init__` of one's own for each nested record, which takes twice as
        # long; this one does what `BaseModel`'s does
        __init__.__pydantic_base_init__ = True

        def __setattr__(self, name: str, value: object) -> None:
            """Refuse a change in one sentence."""
            try:
                super().__setattr__(name, value)
            except ValidationError as error:
                raise refusal(type(self).__name__, type(self).model_fields, error) from error


def as_id(value: Any) -> Any:  # noqa: ANN401 - whatever a user gives
    """Return a whole number as text, a NumPy value as Python's, anything else as it is."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    return str(plain) if isinstance(plain, int) and not isinstance(plain, bool) else plain


def capital(text: str) -> str:
    """Return a text as a sentence begins, the rest as it is."""
    return text[:1].upper() + text[1:]


def plural(count: int, noun: str) -> str:
    """Return a number and its noun: ``1 episode``, ``1,021 shared episodes``; for plurals in s."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"
