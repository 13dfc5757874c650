"""What the atlas adds to a folium map: calls of ``assets/atlas.js`` with what is drawn or shown.

Templates, since folium writes them into the page after the scripts that they call.
"""

from __future__ import annotations

from typing import Any

from branca.element import MacroElement
from folium.template import Template


class AtlasScript(MacroElement):
    """Lets ``assets/atlas.js`` draw the packed walks."""

    _template = Template("""
        {% macro script(this, kwargs) %}
        {% set map = this._parent.get_name() %}
        globalThis.navvizAtlas = NavVizAtlas.draw({{ map }}, {{ this.packed|tojson }});
        {% endmacro %}
    """)

    def __init__(self, packed: dict[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._name, self.packed = "AtlasScript", packed


class ShownWalks(MacroElement):
    """Tells a drawn map which of its walks pass a filter."""

    _template = Template("""
        {% macro script(this, kwargs) %}
        globalThis.navvizAtlas.show({{ this.places|tojson }});
        {% endmacro %}
    """)

    def __init__(self, places: list[int]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._name, self.places = "Shown", places
