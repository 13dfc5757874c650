"""The audit of a server: whole lines whatever happens, bounded, of its owner alone."""

from __future__ import annotations

import stat
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from navviz.runs.audit import AuditEntry, AuditLog, audit_log, record
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from tests.paths import ROOT
from tests.zygote import Forked


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="tokens").model_dump_json())
    return tmp_path / "audit"


def _entry(what: str = "walks", visitor: str = "annotator:ann") -> AuditEntry:
    return AuditEntry(
        time="2026-11-22T10:00:00.000Z", visitor=visitor, action="opened", object=what
    )


def _many(folder: Path, visitor: str) -> None:
    log = AuditLog(folder, largest_bytes=4_000, kept=50)
    for number in range(200):
        log.write(_entry(f"{number}", visitor))


def test_a_line_tells_when_who_what_and_how_much(server: Path) -> None:
    before = datetime.now(UTC)
    record("annotator:ann", "ran batch", "mine", {"episodes": 3})
    [entry] = audit_log().entries()
    assert (entry.visitor, entry.action, entry.object, entry.figures) == (
        "annotator:ann", "ran batch", "mine", {"episodes": 3}
    )  # fmt: skip
    assert entry.time.endswith("Z")
    assert abs((datetime.fromisoformat(entry.time) - before).total_seconds()) < 60
    assert stat.S_IMODE((server / "audit.jsonl").stat().st_mode) == 0o600


def test_without_a_door_nothing_is_written(server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SERVER_VARIABLE)
    record("operator", "opened", "walks")
    assert not server.exists()


def test_processes_that_write_and_rotate_at_once_lose_and_mix_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.runs.test_audit import _many;"
        " _many(Path(sys.argv[1]), sys.argv[2])"
    )
    writers = [
        Forked([sys.executable, "-c", code, str(tmp_path), name], cwd=ROOT)
        for name in ("ann", "bob")
    ]
    assert [one.wait() for one in writers] == [0, 0]
    log = AuditLog(tmp_path, largest_bytes=4_000, kept=50)
    for name in ("ann", "bob"):
        assert [entry.object for entry in log.entries(visitor=name)] == [
            str(number) for number in range(200)
        ]
    assert len(list(tmp_path.glob("audit.*.jsonl"))) > 3


def test_the_oldest_files_are_dropped(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, largest_bytes=300, kept=2)
    for number in range(50):
        log.write(_entry(str(number)))
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [
        "audit.1.jsonl",
        "audit.2.jsonl",
        "audit.jsonl",
    ]
    kept = [int(entry.object) for entry in log.entries()]
    assert kept == list(range(kept[0], 50))


def test_a_line_that_was_cut_off_spoils_no_other(server: Path) -> None:
    record("annotator:ann", "opened", "one")
    with (server / "audit.jsonl").open("ab") as file:
        file.write(b'{"schema_version":1,"time":"2026')
    record("annotator:ann", "opened", "two")
    with (server / "audit.jsonl").open("ab") as file:
        file.write(b'\xff\x00\n{"schema_version":9,"time":"x"}\n[]\n')
    record("annotator:ann", "opened", "three")
    assert [entry.object for entry in audit_log().entries()] == ["one", "two", "three"]


def test_a_disk_that_refuses_never_breaks_a_page(
    server: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.write_text("a file where the folder should be")
    record("annotator:ann", "opened", "walks")
    assert "the audit cannot be written" in caplog.text


def test_a_link_in_place_of_the_file_is_not_followed(server: Path, tmp_path: Path) -> None:
    server.mkdir()
    (server / "audit.jsonl").symlink_to(tmp_path / "other")
    record("annotator:ann", "opened", "walks")
    assert not (tmp_path / "other").exists()


def test_names_are_cut_and_stay_on_one_line(server: Path) -> None:
    record("annotator:" + "x" * 500, "opened", "a\nb\udcff" + "y" * 10_000)
    [entry] = audit_log().entries()
    assert len(entry.visitor) == len(entry.object) == 200
    assert entry.object.startswith("a\ufffdb?"), "a new line would begin a false entry"
    assert (server / "audit.jsonl").read_bytes().count(b"\n") == 1


def test_lines_are_chosen_by_moment_visitor_and_action(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    log.write(_entry("old"))
    log.write(
        _entry("new").model_copy(update={"time": "2026-11-23T00:00:00.000Z", "action": "exported"})
    )
    assert [
        entry.object for entry in log.entries(since=datetime(2026, 11, 22, 12, tzinfo=UTC))
    ] == ["new"]
    assert [entry.object for entry in log.entries(action="opened")] == ["old"]
    assert not list(log.entries(visitor="annotator:bob"))
    assert [path.name for path in tmp_path.iterdir()] == ["audit.jsonl"]
