"""What a page tells whoever looks at it."""

from __future__ import annotations

import gzip
import json

from streamlit.testing.v1 import AppTest

__all__ = ["buttons", "everything"]


def everything(at: AppTest) -> str:
    """Return all that the server sent to this session: texts, tables, options, values, components'
    data.
    """
    parts = [str(part) for part in at.main]
    parts += [frame.value.to_csv() for frame in at.dataframe]
    for part in at.get("bidi_component"):
        if part.proto.component_name == "navviz_rows":  # packed: nothing could be found in it
            packed = part.proto.bytes.partition(b"\n")[2]
            parts.append(gzip.decompress(packed).decode())
    parts += [str(box.options) for box in at.selectbox]
    parts.append(json.dumps({key: str(value) for key, value in at.query_params.items()}))
    return "\n".join(parts)


def buttons(at: AppTest) -> set[str]:
    """Return the keys of the buttons that can be pressed."""
    return {str(button.key) for button in at.button}
