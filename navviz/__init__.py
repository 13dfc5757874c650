"""NavViz: a visual debugger for language-guided navigation agents."""

from __future__ import annotations

__version__ = "0.1.0"

__all__ = ["__version__"]
