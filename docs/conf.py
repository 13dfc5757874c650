"""Settings of the documentation's site: ``python -m sphinx -W -b html docs SITE``."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from generated_pages import write_generated  # noqa: E402

from navviz.support.version import VERSION  # noqa: E402

project = "NavViz"
author = "The NavViz developers"
release = version = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_block"]
html_theme = "furo"
html_title = f"NavViz {VERSION}"
html_show_copyright = False
# where language models look for what there is
html_extra_path = ["llms.txt"]
html_show_sourcelink = False
templates_path: list[str] = []
exclude_patterns = ["_site", "Thumbs.db"]
# docstrings set names in single backquotes
default_role = "code"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = True
napoleon_google_docstring = False
nitpicky = False


def setup(app: object) -> None:
    """Write the pages that come from the code, before any page is read."""
    del app
    write_generated(HERE / "generated")
