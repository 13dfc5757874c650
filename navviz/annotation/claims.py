"""Causes that annotators judge: what a detector found, and placebos in between.

A claim is one cause of one episode of a run. Annotators read its sentence and its quotes at its
step; which detector found it, how sure that one is, and whether it is a placebo stay here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator
from sqlalchemy import insert, select

from navviz.annotation import database as schema
from navviz.annotation.annotators import now
from navviz.annotation.database import Database
from navviz.annotation.records import Item
from navviz.errors import InputError
from navviz.records import Explanation, Record
from navviz.support.guarded import parse_json

Placebo = Literal["", "episode", "kind"]
"""``episode``: sentence and quotes come from another episode. ``kind``: the sentence comes from
another episode and another kind of cause, the quotes are this episode's own.
"""
_SHOWN = "Cause"
"""What stands in place of a detector's name."""
_ID_BYTES = 8


def _name_of(content: str) -> str:
    # begun with a letter, so that no table takes it for a number
    return f"c{hashlib.blake2b(content.encode(), digest_size=_ID_BYTES).hexdigest()}"


class CauseClaim(Record):
    """One cause to be judged."""

    dataset: str
    episode: str
    run: str
    cause: Explanation
    """As its detector found it; of a placebo, the detector that the sentence comes from."""
    placebo: Placebo = ""
    """Empty for what a detector found in this episode."""
    known_as: str = Field(default="", exclude_if=lambda name: not name)
    """Its name among items, where it was made with another layout of causes."""

    @model_validator(mode="before")
    @classmethod
    def _keep_its_name(cls, raw: Any) -> Any:  # noqa: ANN401 - whatever was kept
        """Keep the name that ratings know a claim of an earlier NavViz by: its first content."""
        cause = raw.get("cause") if isinstance(raw, dict) else None
        if not isinstance(cause, dict) or "kind" in cause or raw.get("known_as"):
            return raw
        content = json.dumps(raw, separators=(",", ":"), ensure_ascii=False)
        return {**raw, "known_as": _name_of(content)}

    @property
    def item(self) -> Item:
        """What is rated: the same cause of the same episode is the same item in every queue."""
        name = self.known_as or _name_of(self.model_dump_json())
        return Item(dataset=self.dataset, episode=self.episode, run=self.run, claim=name)

    @property
    def blind(self) -> Explanation:
        """The cause as annotators see it: without its detector, its grade and its repair."""
        return Explanation(
            id=_SHOWN.lower(),
            name=_SHOWN,
            sentence=self.cause.sentence,
            step=self.cause.step,
            sub_goal=self.cause.sub_goal,
            quotes=self.cause.quotes,
        )


class Claims:
    """The table of claims."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, claims: Iterable[CauseClaim]) -> None:
        """Save claims; one that is there already stays as it is."""
        # a claim's name is a hash of its content, so that the same name means the same claim
        rows = {claim.item.claim: claim.model_dump_json() for claim in claims}
        with self._database.write() as connection:
            there = set(connection.execute(select(schema.claims.c.id)).scalars())
            new = [key for key in rows if key not in there]
            for key in new:
                values = {"id": key, "content": rows[key], "at": now()}
                connection.execute(insert(schema.claims).values(values))

    def all(self) -> dict[str, CauseClaim]:
        """Return all claims by the name that items give them."""
        with self._database.read() as connection:
            query = select(schema.claims.c.id, schema.claims.c.content)
            rows = connection.execute(query.order_by(schema.claims.c.at, schema.claims.c.id)).all()
        return {key: CauseClaim.model_validate_json(content) for key, content in rows}

    def get(self, item: Item) -> CauseClaim | None:
        """Return the claim of an item; ``None`` where it has none or the database does not."""
        query = select(schema.claims.c.content).where(schema.claims.c.id == item.claim)
        with self._database.read() as connection:
            content = connection.execute(query).scalar()
        return None if content is None else CauseClaim.model_validate_json(content)


def claims_in(text: str) -> list[CauseClaim]:
    """Return the causes that a file of JSON lines brings along with their ratings.

    Lines that hold none are left to `parse`, which says what is wrong with them.
    """
    claims = []
    for line in text.splitlines():
        if '"claim"' not in line:
            continue
        try:
            raw = parse_json(line, "")
        except InputError:
            continue
        if isinstance(raw, dict) and raw.pop("type", None) == "claim":
            with contextlib.suppress(ValidationError):
                claims.append(CauseClaim.model_validate(raw))
    return claims
