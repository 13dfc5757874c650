"""Addresses of fsspec (``s3://``, ``hf://``, ``https://``) beside paths of this machine."""

from __future__ import annotations

import re
from typing import Any, Final

from navviz.errors import SettingsError
from navviz.support.installation.extras import needs_extra

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::)")


def is_address(text: str) -> bool:
    """Whether a text is an address and no path."""
    return _SCHEME.match(text) is not None


def files_at(address: str, extra: str = "remote") -> tuple[Any, str]:
    """Return fsspec's file system of an address, and the place in it.

    Raises `MissingExtraError` without fsspec; `SettingsError` where the package that reads such
    addresses is missing, or nothing reads them.
    """
    with needs_extra(extra):
        import fsspec
    try:
        files, place = fsspec.url_to_fs(address)
    except ImportError as error:
        # fsspec says which package reads the address: "Install s3fs to access S3"
        what = f"{address}: needs a package that is not installed ({error})"
        raise SettingsError(f"{what}; install it with pip, next to NavViz.") from error
    except ValueError as error:
        raise SettingsError(f"{address}: no such address ({error}).") from error
    return files, str(place)
