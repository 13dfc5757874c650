"""Databases to test on."""

from __future__ import annotations

import itertools

import pytest

from navviz.annotation.store import AnnotationStore
from tests.annotation import postgres
from tests.conftest import missing

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres_server():
    programs = postgres.binaries()
    if programs is None:
        missing("no PostgreSQL here: apt-get install postgresql to test annotations on it")
    with postgres.running(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'annotations.sqlite3'}"
    server = request.getfixturevalue("postgres_server")
    return _fresh(server.url, f"t{next(_NUMBERS)}")


def _fresh(url: str, name: str) -> str:
    """A new database of the server."""
    from sqlalchemy import create_engine

    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'CREATE DATABASE "{name}"')
    engine.dispose()
    return url.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture
def opened():
    """Opens stores and closes them at the end."""
    stores: list[AnnotationStore] = []

    def open_store(url: str) -> AnnotationStore:
        stores.append(AnnotationStore(url))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def store(url, opened):
    return opened(url)
