"""Optional packages: what needs them, and what a user is told where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from navviz.errors import MissingExtraError
from navviz.support.version import DISTRIBUTION

EXTRAS = {
    "gemini": ("google.genai", "Gemini models"),
    "openai": ("openai", "OpenAI and compatible servers"),
    "postgres": ("psycopg", "ratings on PostgreSQL"),
    "osm": ("osmnx", "GraphML files and downloads from OpenStreetMap"),
    "figures": ("matplotlib", "figures for papers"),
    "mesh": ("trimesh", "floor pictures from meshes"),
    "film": ("playwright", "films for slides"),
    "oidc": ("authlib", "doors of OpenID Connect"),
    "notebook": ("anywidget", "replays that answer in a notebook"),
    "text": ("sacrebleu", "BLEU and ROUGE of instructions"),
    "text-coco": ("pycocoevalcap", "CIDEr and METEOR of instructions"),
    "mcp": ("mcp", "agents that read"),
    "rerun": ("rerun", "recordings for Rerun"),
    "remote": ("fsspec", "runs at other addresses"),
    "dask": ("distributed", "runs on a cluster and traces at other addresses"),
}
"""From an extra of `pyproject.toml` to the module that it brings, and who needs it."""


def extra_hint(extra: str) -> str | None:
    """Say how to install an extra; ``None`` where it is installed."""
    return None if _is_installed(EXTRAS[extra][0]) else _sentence(extra)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that should hold it
        return False


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Turn the failed import of an extra's module into a sentence that says which extra to install.

    Raises `MissingExtraError` where the module is missing; any other failed import passes through.
    """
    try:
        yield
    except (
        ImportError
    ) as error:  # not ModuleNotFoundError: protobuf brings a package google without genai
        if _is_installed(EXTRAS[extra][0]):
            raise
        raise MissingExtraError(_sentence(extra)) from error


def _sentence(extra: str) -> str:
    module, purpose = EXTRAS[extra]
    needed = purpose[0].upper() + purpose[1:]
    command = f"pip install '{DISTRIBUTION}[{extra}]'"
    return f"{needed} need a package that is not installed ({module}); install it with: {command}."
