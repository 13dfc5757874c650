"""The audit of a server: whole lines whatever happens, bounded, of its owner alone."""

from __future__ import annotations

import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from navviz.runs.audit import AuditEntry, AuditLog, Floods, audit_log, record
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from tests.paths import ROOT
from tests.zygote import Forked


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="tokens").model_dump_json())
    return tmp_path / "audit"


def _entry(what: str = "walks", visitor: str = "annotator:ann") -> AuditEntry:
    return AuditEntry(
        time="2026-11-22T10:00:00.000Z", visitor=visitor, action="uploaded", object=what
    )


def _many(folder: Path, visitor: str) -> None:
    log = AuditLog(folder, largest_bytes=4_000, kept=50)
    for number in range(200):
        log.write(_entry(f"{number}", visitor))


def test_a_line_tells_when_who_what_and_how_much(server):
    before = datetime.now(UTC)
    record("annotator:ann", "ran batch", "mine", {"episodes": 3})
    [entry] = audit_log().entries()
    assert (entry.visitor, entry.action, entry.object, entry.figures) == (
        "annotator:ann", "ran batch", "mine", {"episodes": 3}
    )  # fmt: skip
    assert entry.time.endswith("Z")
    assert abs((datetime.fromisoformat(entry.time) - before).total_seconds()) < 60
    assert stat.S_IMODE((server / "audit.jsonl").stat().st_mode) == 0o600


def test_without_a_door_nothing_is_written(server, monkeypatch):
    monkeypatch.delenv(SERVER_VARIABLE)
    record("operator", "uploaded", "walks")
    assert not server.exists()


def test_processes_that_write_and_rotate_at_once_lose_and_mix_nothing(tmp_path):
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


def test_the_oldest_files_are_dropped(tmp_path):
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


def test_a_line_that_was_cut_off_spoils_no_other(server):
    record("annotator:ann", "uploaded", "one")
    with (server / "audit.jsonl").open("ab") as file:
        file.write(b'{"schema_version":1,"time":"2026')
    record("annotator:ann", "uploaded", "two")
    with (server / "audit.jsonl").open("ab") as file:
        file.write(b'\xff\x00\n{"schema_version":9,"time":"x"}\n[]\n')
    record("annotator:ann", "uploaded", "three")
    assert [entry.object for entry in audit_log().entries()] == ["one", "two", "three"]


def test_a_disk_that_refuses_never_breaks_a_page(server, caplog):
    server.write_text("a file where the folder should be")
    record("annotator:ann", "uploaded", "walks")
    assert "the audit cannot be written" in caplog.text


def test_a_link_in_place_of_the_file_is_not_followed(server, tmp_path):
    server.mkdir()
    (server / "audit.jsonl").symlink_to(tmp_path / "other")
    record("annotator:ann", "uploaded", "walks")
    assert not (tmp_path / "other").exists()


def test_names_are_cut_and_stay_on_one_line(server):
    record("annotator:" + "x" * 500, "uploaded", "a\nb\udcff" + "y" * 10_000)
    [entry] = audit_log().entries()
    assert len(entry.visitor) == len(entry.object) == 200
    assert entry.object.startswith("a\ufffdb?"), "a new line would begin a false entry"
    assert (server / "audit.jsonl").read_bytes().count(b"\n") == 1


def test_lines_are_chosen_by_moment_visitor_and_action(tmp_path):
    log = AuditLog(tmp_path)
    log.write(_entry("old"))
    log.write(
        _entry("new").model_copy(update={"time": "2026-11-23T00:00:00.000Z", "action": "exported"})
    )
    assert [
        entry.object for entry in log.entries(since=datetime(2026, 11, 22, 12, tzinfo=UTC))
    ] == ["new"]
    assert [entry.object for entry in log.entries(action="uploaded")] == ["old"]
    assert not list(log.entries(visitor="annotator:bob"))
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["audit.jsonl"]


@pytest.mark.parametrize("jump_h", [-24, -1, 24])
def test_lines_keep_their_order_when_the_clock_is_set(tmp_path, jump_h):
    """Of two files, each in its own order, nobody could say which line came first."""
    log, moment = AuditLog(tmp_path, largest_bytes=500), datetime(2026, 11, 22, 12, tzinfo=UTC)
    for number in range(12):
        if number in {4, 8}:  # set, and put right again
            moment += timedelta(hours=jump_h if number == 4 else -jump_h)
        entry = _entry(str(number)).model_copy(update={"time": moment.isoformat()})
        is_look = number % 3 == 0
        log.write(entry.model_copy(update={"action": "opened"}) if is_look else entry)
    assert [entry.object for entry in log.entries()] == [str(number) for number in range(12)]
    assert [entry.number for entry in log.entries()] == list(range(1, 13))
    # a line of an earlier NavViz on the same workspace has no number, one of a later may say more
    with (tmp_path / "audit.jsonl").open("a") as file:
        file.write(_entry("earlier").model_dump_json(exclude={"number"}) + "\n")
        later = _entry("later").model_copy(update={"number": 13})
        file.write(later.model_dump_json().replace("{", '{"room": "A", ', 1) + "\n")
    log.write(_entry("now"))
    assert [entry.object for entry in log.entries()][-4:] == ["11", "earlier", "later", "now"]
    assert list(log.entries())[-1].number == 14


def test_a_flood_of_looks_pushes_no_act_away(tmp_path):
    """With a new browser each, one visitor is many; their looks rotate among themselves."""
    log = AuditLog(tmp_path, largest_bytes=600, kept=2)
    log.write(_entry("before").model_copy(update={"action": "deleted"}))
    for number in range(60):
        look = {"action": "was refused", "time": "2026-11-22T11:00:00.000Z"}
        log.write(_entry(str(number), f"browser:{number}").model_copy(update=look))
    late = {"action": "spent", "time": "2026-11-22T12:00:00.000Z"}
    log.write(_entry("after").model_copy(update=late))
    first, *looks, last = log.entries()
    assert (first.action, last.action) == ("deleted", "spent")
    assert looks[-1].object == "59"
    assert len(looks) < 30


def test_what_one_visitor_does_again_and_again_is_counted_in_few_lines(server):
    record("annotator:ann", "deleted", "queue")
    for number in range(5_000):
        record("annotator:bob", "was refused", f"guess {number}")
    lines = list(audit_log().entries(visitor="annotator:bob"))
    assert [entry.object for entry in lines[:30]] == [f"guess {number}" for number in range(30)]
    counted = [int(entry.figures["times"]) for entry in lines[30:]]
    assert counted == [30, 60, 120, 240, 480, 960, 1920]
    assert [entry.action for entry in audit_log().entries()].count("deleted") == 1
    for _ in range(40):
        record("annotator:bob", "spent", "mine", {"tokens": 7})
    spent = [entry.figures["tokens"] for entry in audit_log().entries(action="spent")]
    assert sum(map(int, spent)) == 280


def test_the_rest_of_a_flood_is_written_once_its_time_is_over():
    now_s = 0.0
    floods = Floods(lambda: now_s)
    lines = [line for _ in range(59) for line in floods.lines("bob", "stopped")]
    assert lines == [("bob", "stopped", 0)] * 30
    now_s = 700.0
    assert floods.lines("ann", "kept") == [("bob", "stopped", 29), ("ann", "kept", 0)]
    assert floods.lines("bob", "stopped") == [("bob", "stopped", 0)]
