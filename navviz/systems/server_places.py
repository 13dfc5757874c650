"""Settings that name a place of the server: a file, a folder, an address.

A visitor of a shared server could read its files through such a setting, or let it ask addresses
inside its network. One rule holds them, wherever a value comes from (a form, a link, a batch file,
the settings of a trace): without the right ``paths`` a setting that names a file keeps its default,
and one that names an address takes only those that the operator lists in
``NAVVIZ_MODEL_ADDRESSES``. With that right, too, no setting names what others keep in the
workspace: their runs and prompts would come out in one's own walks.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.types import PathType

from navviz.errors import SettingsError
from navviz.llm.addresses import check_address, check_written
from navviz.support.installation.serving import is_allowed, serving

PlaceKind = Literal["path", "address"]


@dataclass(frozen=True, slots=True)
class _PlaceMark:
    kind: PlaceKind


ServerPath = Annotated[str, _PlaceMark("path")]
"""A file or folder that the server reads; empty for none."""
ServerAddress = Annotated[str, _PlaceMark("address")]
"""An address that the server asks; empty for none."""

_PATH_NAME = re.compile(r"(^|_)(path|paths|file|files|folder|folders|dir|directory)$")
_ADDRESS_NAME = re.compile(r"(^|_)(url|uri|address|endpoint|host)$")


def place_kind(name: str, field: FieldInfo) -> PlaceKind | None:
    """Return what a field of settings names, ``None`` where it is no place.

    Its type says so (`ServerPath`, `ServerAddress`, any path of the standard library); the name of
    a text field counts too, since other packages may not use our types.
    """
    for mark in field.metadata:
        if isinstance(mark, _PlaceMark):
            return mark.kind
        if isinstance(mark, PathType):
            return "path"
    types = _types(field.annotation)
    if any(isinstance(each, type) and issubclass(each, PurePath) for each in types):
        return "path"
    if str in types and _PATH_NAME.search(name):
        return "path"
    return "address" if str in types and _ADDRESS_NAME.search(name) else None


def _types(annotation: Any) -> list[Any]:  # noqa: ANN401 - a type, or a form of typing
    """Take unions and annotated types apart."""
    parts = get_args(annotation)
    if not parts:
        return [annotation]
    taken = []
    for part in parts:
        taken += _types(part)
    return taken


def is_hidden(name: str, field: FieldInfo) -> bool:
    """Whether a form leaves the field out, since its visitor may not set it."""
    return place_kind(name, field) == "path" and not is_allowed("paths")


def check_places(settings: BaseModel) -> None:
    """Raise `SettingsError` where settings name a place that their visitor may not use."""
    may_name_files = is_allowed("paths")
    is_local = may_name_files and serving() is None
    for name, field in type(settings).model_fields.items():
        kind, value = place_kind(name, field), getattr(settings, name)
        if kind is None or not value or value == field.get_default(call_default_factory=True):
            continue
        if kind == "address" and may_name_files:
            check_written(str(value))
        elif is_local:
            continue
        elif kind == "path" and may_name_files:
            _check_outside(name, value)
        elif kind == "path":
            raise SettingsError(
                f"The setting {name} names a file of the server, which its visitors may not choose;"
                " its operator can allow it (--allow paths)."
            )
        else:
            check_address(str(value))


def _check_outside(name: str, value: object) -> None:
    """Raise `SettingsError` for a place of the workspace, but for the data that all may open."""
    root = Path(os.environ.get("NAVVIZ_WORKSPACE", "workspace")).expanduser().resolve()
    for each in value if isinstance(value, tuple | list) else (value,):
        # a link must not lead around the rule
        place = Path(str(each)).expanduser().resolve()
        inside = place == root or root in place.parents or place in root.parents
        if inside and root / "data" not in place.parents:
            raise SettingsError(
                f"The setting {name} names a place in the server's workspace, where others keep"
                " their runs; name one outside of it."
            )
