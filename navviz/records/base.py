"""The base of all records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.records.refusals import refusal

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

    Raises
    ------
    RecordError
        For a field that is missing, unknown or of a wrong type; `model_validate`, which readers
        call, raises pydantic's own error with all faults.
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
