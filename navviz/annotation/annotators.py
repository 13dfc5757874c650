"""Who may rate: pseudonyms, roles and tokens."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import RowMapping, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from navviz.annotation import database as schema
from navviz.annotation.database import Database
from navviz.annotation.records import Annotator
from navviz.annotation.wrong_tries import WrongTries
from navviz.errors import InputError, StoreError

_NAME = re.compile(r"[^\W_][\w .\-]{0,39}")

_REFUSED = "The name or its token is not right; ask the researcher who set up the study."

_NOBODY = {"token_salt": "00" * 16, "token_hash": "00" * 64}
"""Compared with where a name is unknown: an unknown name takes as long as a known one, so time
tells no names.
"""

_SEEN = "seen "
"""Begins the keys of `meta` under which the last visits stand."""

_WRONG = WrongTries()
"""One for the process: windows and databases share the pauses of a name."""


# with the blank, "modeller" is a person
_MODEL = "model "
"""Begins the pseudonym of a language model that judges."""


def model_name(model: str) -> str:
    """Name a model (``KIND:NAME``) among annotators, of the signs that a pseudonym may have."""
    return _MODEL + re.sub(r"[^A-Za-z0-9.-]+", "-", model)[:30].strip("-.")


def is_model(name: str) -> bool:
    """Whether an annotator is a language model, which counts in no agreement among people."""
    return name.startswith(_MODEL)


def now() -> str:
    """Return the time as it is stored: ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat()


class Annotators:
    """The table of annotators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Annotator]:
        """Everybody, in the order they came."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(schema.annotators).order_by(schema.annotators.c.created)
            ).mappings()
            return [_annotator(row) for row in rows]

    def add(
        self,
        name: str,
        role: Literal["annotator", "researcher"] = "annotator",
        token: str | None = None,
    ) -> None:
        """Add an annotator; raises `StoreError` where the name is taken."""
        values = {"name": checked_name(name), "role": role, "created": now(), **_hashed(token)}
        try:
            with self._database.write() as connection:
                connection.execute(insert(schema.annotators).values(values))
        except IntegrityError as error:
            raise StoreError(
                f"There already is an annotator called {name}; choose another pseudonym."
            ) from error

    def set_token(self, name: str) -> str:
        """Give an annotator a new token and return it; only its salted hash is kept."""
        token = secrets.token_urlsafe(12)
        with self._database.write() as connection:
            change = (
                update(schema.annotators)
                .where(schema.annotators.c.name == name)
                .values(_hashed(token))
            )
            if connection.execute(change).rowcount == 0:
                raise StoreError(f"There is no annotator called {name}.")
        return token

    def revoke(self, name: str) -> None:
        """Take a name's token back: nobody can take the name until a new one is given."""
        self.set_token(name)  # which nobody sees

    def note_seen(self, name: str) -> None:
        """Note that somebody came, once a minute; a disk that takes nothing shuts nobody out."""
        key, at = f"{_SEEN}{name}", now()[: len("2026-11-29T08:30")]
        with suppress(StoreError):
            if self.seen().get(name) == at:
                return
            with self._database.write() as connection:
                connection.execute(delete(schema.meta).where(schema.meta.c.key == key))
                connection.execute(insert(schema.meta).values(key=key, value=at))

    def seen(self) -> dict[str, str]:
        """Return when everybody was last seen, in UTC to the minute, by name."""
        with self._database.read() as connection:
            chosen = select(schema.meta).where(schema.meta.c.key.startswith(_SEEN))
            rows = connection.execute(chosen).mappings().all()
        return {row["key"].removeprefix(_SEEN): row["value"] for row in rows}

    @property
    def study_id(self) -> str:
        """Name of the database, drawn when it was made."""
        with self._database.read() as connection:
            return str(
                connection.execute(
                    select(schema.meta.c.value).where(schema.meta.c.key == "study")
                ).scalar_one()
            )

    @property
    def tokens_required(self) -> bool:
        """Whether nobody gets in without a token."""
        with self._database.read() as connection:
            value = connection.execute(
                select(schema.meta.c.value).where(schema.meta.c.key == "tokens")
            ).scalar()
        return value == "required"

    def require_tokens(self, *, required: bool) -> None:
        """Let nobody in without a token, or open again; needs a researcher who has a token."""
        if required and not any(
            annotator.role == "researcher" and annotator.has_token for annotator in self.all()
        ):
            raise StoreError(
                "Make a link for a lead first; without one nobody could open the study again."
            )
        with self._database.write() as connection:
            connection.execute(delete(schema.meta).where(schema.meta.c.key == "tokens"))
            if required:
                connection.execute(insert(schema.meta).values(key="tokens", value="required"))

    def admit(self, name: str, token: str | None = None) -> Annotator:
        """Let an annotator in, new ones too where no token is required.

        Raises `StoreError` for a wrong token, and for any token after several wrong ones
        (`WrongTries`).
        """
        required = self.tokens_required
        row = self._row(checked_name(name))
        if row is None and not required:
            self._add_once(name)
            row = self._row(name)
        # who has a token needs it in an open study too
        if row is not None and not required and not row["token_hash"]:
            return _annotator(row)
        return self._checked(name, token, row)

    def admit_known(self, name: str) -> Annotator:
        """Let in whom the server's door has let in under this name; new ones are taken on."""
        self._add_once(checked_name(name))
        row = self._row(name)
        if row is None:
            raise StoreError(_REFUSED)
        return _annotator(row)

    def check(self, name: str, token: str) -> Annotator:
        """Return who has a token; raises `StoreError` for a wrong name or token, and after several
        wrong ones.
        """
        return self._checked(name, token, self._row(checked_name(name)))

    def _checked(self, name: str, token: str | None, row: RowMapping | None) -> Annotator:
        key = f"{self._database.name} {name.casefold()}"
        _WRONG.check(key)
        if not _matches(token, row) or row is None:
            _WRONG.wrong(key)
            raise StoreError(_REFUSED)
        _WRONG.right(key)
        return _annotator(row)

    def admit_again(self, name: str, proof: Callable[[str], bool]) -> Annotator | None:
        """Let somebody in who was let in before; ``None`` where the study has changed its mind."""
        row = self._row(name)
        if (
            row is None
            or (self.tokens_required and not row["token_hash"])
            or not proof(row["token_hash"] or "")
        ):
            return None
        return _annotator(row)

    def token_hash(self, name: str) -> str:
        """Return what an annotator's token hashes to; empty without one."""
        row = self._row(name)
        return "" if row is None else str(row["token_hash"] or "")

    def _add_once(self, name: str) -> None:
        try:
            with self._database.write() as connection:
                connection.execute(
                    insert(schema.annotators).values(name=name, role="annotator", created=now())
                )
        except IntegrityError:
            return  # the same name came in through another window a moment ago

    def _row(self, name: str) -> RowMapping | None:
        with self._database.read() as connection:
            rows = connection.execute(
                select(schema.annotators).where(schema.annotators.c.name == name)
            )
            return rows.mappings().first()


def checked_name(name: str) -> str:
    """Return a pseudonym that can be stored and shown; raises `InputError` with what is allowed."""
    if not _NAME.fullmatch(name):
        raise InputError(
            "is no pseudonym",
            "use 1 to 40 letters, digits, blanks, dots, dashes; no e-mail address",
            field="annotator",
        )
    return name


def _annotator(row: RowMapping) -> Annotator:
    return Annotator(
        name=row["name"],
        role=row["role"],
        has_token=row["token_hash"] is not None,
        created=row["created"],
    )


def _hashed(token: str | None) -> dict[str, str | None]:
    if token is None:
        return {"token_salt": None, "token_hash": None}
    salt = secrets.token_hex(16)
    return {"token_salt": salt, "token_hash": _hash(token, salt)}


def _hash(token: str, salt: str) -> str:
    return hashlib.scrypt(token.encode(), salt=bytes.fromhex(salt), n=2**13, r=8, p=1).hex()


def _matches(token: str | None, row: RowMapping | None) -> bool:
    kept = row if row is not None and row["token_hash"] else _NOBODY
    # takes as long for a wrong first letter as for a wrong last one
    right = hmac.compare_digest(_hash(token or "", kept["token_salt"]), kept["token_hash"])
    # the hash of nobody never lets anybody in, even if a token should match it
    return right and kept is row and bool(token)
