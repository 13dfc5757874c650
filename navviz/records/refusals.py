"""One sentence of what pydantic says about a record that cannot be made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

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
