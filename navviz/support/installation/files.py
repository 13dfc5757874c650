"""Where the app, its pages and assets lie: in a checkout's root, or beside this file.

No other module asks for ``__file__`` to find them. `pyproject.toml` puts them into the wheel.
"""

from __future__ import annotations

from pathlib import Path

_SHIPPED = Path(__file__).resolve().parent / "data"
"""Filled when the wheel is built; a checkout does not have it."""
_ROOT = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).resolve().parents[3]


def app_file() -> Path:
    """Return the script that Streamlit runs; its pages lie in ``pages`` beside it."""
    return _ROOT / "app.py"


def page_file(name: str) -> Path:
    """Return the script of one page."""
    return _ROOT / "pages" / f"{name}.py"


def assets_dir() -> Path:
    """Return the folder of the player, icons, samples and taxonomy."""
    return _ROOT / "assets"


def asset(name: str) -> Path:
    """Return one file of `assets_dir`."""
    return assets_dir() / name


def samples_dir() -> Path:
    """Return the folder of the bundled sample worlds."""
    return assets_dir() / "samples"


def checkout_dir() -> Path | None:
    """Return the root of the running git checkout; ``None`` for a wheel or an archive."""
    return _ROOT if (_ROOT / ".git").exists() else None


def import_root() -> Path:
    """Return the folder from which Python imports this NavViz, for processes it starts."""
    return Path(__file__).resolve().parents[3]
