"""Read what a model answers to NavGPT's prompt (Zhou et al. 2023): thought, tool, input, final
answer.
"""

from __future__ import annotations

import re

from navviz.language.readable import LONGEST_REPLY, readable

_ACTION = re.compile(
    r"Action\s*\d*\s*:\s*(.*?)\s*Action\s*\d*\s*Input\s*\d*\s*:\s*[\"']?([^\s\"']+)[\"']?",
    re.DOTALL,
)
_FINISHED = "Final Answer:"


def parse_reply(text: str) -> tuple[str, str | None, str | None, str | None]:
    """Split a reply into thought, tool, the tool's input and final answer; what is not there is
    ``None``.
    """
    action = _ACTION.search(readable(text, LONGEST_REPLY))
    answer = text.rsplit(_FINISHED, maxsplit=1)[-1].strip() if _FINISHED in text else None
    end = min(
        (at for at in (text.find("Action:"), text.find(_FINISHED)) if at >= 0), default=len(text)
    )
    thought = text[:end].strip().removeprefix("Thought:").strip()
    return thought, action[1].strip() if action else None, action[2] if action else None, answer
