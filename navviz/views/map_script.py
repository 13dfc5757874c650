"""What NavViz adds to a folium map: calls of a script with data, which no template ever reads.

`branca.element.MacroElement.render` compiles its own output as a Jinja template once more. Escaping
for JavaScript or HTML is no help there: ``{{ ... }}`` in an instruction would run as code.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from branca.element import Element, Figure, MacroElement
from folium.template import Template

_TEMPLATE_BEGINS = re.compile(r"\{(?=[{%#])")
_UNSAFE_IN_SCRIPT = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&'\u2028\u2029"})
# of templates, and of the JavaScript template literals into which folium writes
_UNSAFE_IN_LITERAL = str.maketrans({sign: f"&#{ord(sign)};" for sign in "{}%$`\\"})


def script_json(data: object) -> str:
    r"""Write data as JSON for a script of a page: no text of it ends the script or begins a
    template.
    """
    text = json.dumps(data).translate(_UNSAFE_IN_SCRIPT)
    # outside of its strings JSON has no brace before another one, a percent or a hash sign
    return _TEMPLATE_BEGINS.sub(r"\\u007b", text)


def folium_text(text: object) -> str:
    """Write a text of data as HTML for a popup or a tooltip of folium.

    Folium compiles such a text as a template and writes it into a JavaScript literal, so that
    `html.escape` alone leaves code in it.
    """
    return html.escape(str(text)).translate(_UNSAFE_IN_LITERAL)


class _Written(Element):
    """A finished text of a page."""

    _template = Template("{{ this.text }}")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class MapCall(MacroElement):
    """A call of a script with data as its last argument."""

    # streamlit-folium takes the script from here, and compiles nothing of it
    _template = Template("{% macro script(this, kwargs) %}{{ this.script() }}{% endmacro %}")

    def __init__(self, call: str, data: Any) -> None:  # noqa: ANN401 - whatever JSON can write
        super().__init__()  # type: ignore[no-untyped-call]
        self._name, self.call, self.data = "MapCall", call, data

    def script(self) -> str:
        """Return the call with its data."""
        name = "" if self._parent is None else self._parent.get_name()
        return f"{self.call.replace('MAP', name)}{script_json(self.data)});"

    def render(self, **_kwargs: object) -> str:
        """Add the call to the page, without the second compilation of branca; return nothing."""
        figure = self.get_root()
        if isinstance(figure, Figure):
            figure.script.add_child(_Written(self.script()), name=self.get_name())
        return ""
