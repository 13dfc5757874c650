"""What authors of episodes share: a model or rules, replies that are asked for again, and a file of
drafts that nothing is paid for twice with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from navviz.formats.files import Json
from navviz.formats.texts import as_mapping
from navviz.llm.base import Request
from navviz.llm.registry import close_model, make_model
from navviz.records import Call, Message
from navviz.support.guarded import is_regular, json_text, parse_json, read_text, write_whole
from navviz.systems.asking import ask_now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from navviz.llm.base import LanguageModel

RULES: Final = "rules"
"""The author that needs no model."""
_TRIALS: Final = 3


@contextmanager
def opened_author(name: str) -> Iterator[tuple[LanguageModel | None, str]]:
    """Open an author, ``rules`` or a model; gives it, ``None`` for rules, and its name."""
    model = None if name == RULES else make_model(name)
    try:
        yield model, RULES if model is None else model.name
    finally:
        if model is not None:
            close_model(model)


def ask_until(
    llm: LanguageModel,
    request: Request,
    text_of: Callable[[Call], str],
    fault_of: Callable[[str], str],
) -> tuple[str, tuple[Call, ...]]:
    """Ask, and ask again twice with the reason where a reply is at fault.

    Returns the last text, and a call a trial; a failed call ends the trials.
    """
    calls: list[Call] = []
    text, messages = "", request.messages
    for _ in range(_TRIALS):
        call = ask_now(llm, Request(messages, purpose=request.purpose, schema=request.schema))
        calls.append(call)
        text = text_of(call)
        fault = fault_of(text)
        if call.error is not None or not fault:
            break
        again = f"This cannot be used: {fault}. Write it again."
        reply = Message(role="assistant", text=call.reply or "")
        messages = (*messages, reply, Message(role="user", text=again))
    return text, tuple(calls)


def trials_of(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """Return prompts, replies and cost of the trials, for a file of drafts."""
    trials = []
    for call in calls:
        prompt = [message.text for message in call.messages]
        trial = {"prompt": prompt, "reply": call.reply, "error": call.error}
        trials.append(trial | {"cost_usd": call.cost_usd})
    return trials


class DraftFile:
    """Drafts as JSON lines, written whole after each one that was paid for, so that a kill loses
    none; what stood there stays until it is written again.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.records: list[Mapping[str, Json]] = []
        self.before: dict[str, Mapping[str, Json]] = {}
        """What stood there at first, by its ``key``."""
        self._lines: dict[str, str] = {}
        if path is not None and is_regular(path):
            for line in read_text(path).splitlines():
                if not line.strip():
                    continue
                record = as_mapping(parse_json(line, path.name))
                key = str(record.get("key"))
                self.before[key], self._lines[key] = record, line

    def text_of(self, key: str) -> str:
        """Return what was written before; empty where nothing was."""
        text = self.before.get(key, {}).get("text")
        return text if isinstance(text, str) else ""

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a draft; one that was not paid for again keeps its trials."""
        key = str(record["key"])
        trials = record["trials"] or self.before.get(key, {}).get("trials", [])
        self.records.append({**record, "trials": trials})
        self._lines[key] = json_text(self.records[-1])
        if record["trials"]:
            self.save()

    def save(self) -> None:
        """Write the file."""
        if self._path is not None:
            write_whole(self._path, "".join(f"{line}\n" for line in self._lines.values()))
