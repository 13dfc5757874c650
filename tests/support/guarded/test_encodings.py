"""Text in other encodings than UTF-8 is read where it can be recognised, and named; binary files
are named.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_results
from navviz.support.guarded import Notes, head_text, opened_text, read_text, taking_notes
from navviz.support.guarded.files import recoded
from navviz.world.graph import Graph

TEXT = "Geh über die Straße – am „Café“ vorbei.\n"
LATIN = "Geh über die Straße am Café vorbei.\n"


def _no_graph(world: str) -> Graph:
    raise AssertionError(world)


def _both(path: Path, raw: bytes) -> tuple[str, str, Notes]:
    """Read a file whole, and as a stream."""
    path.write_bytes(raw)
    with taking_notes() as notes:
        whole = read_text(path)
        with opened_text(path) as file:
            streamed = file.read()
    return whole, streamed, notes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    whole, streamed, notes = _both(tmp_path / "a.txt", TEXT.encode(encoding))
    assert whole == streamed == TEXT
    assert notes.problems.count == 0
    fields = {tmp_path / "a.txt": {f"decoded as {encoding.upper()}": 1}}
    assert notes.changes == (fields if encoding[4:] in {"16", "32"} else {})
    assert head_text(tmp_path / "a.txt", 13) == TEXT.encode(encoding)[:13].decode(
        encoding, "ignore"
    )


def test_latin_1_is_read_and_told(tmp_path):
    whole, streamed, notes = _both(tmp_path / "a.txt", LATIN.encode("latin-1"))
    assert whole == streamed == LATIN
    (problem,) = notes.problems.kept
    assert str(problem) == "a.txt: is no UTF-8 (byte 5): it is read as Latin-1; save it as UTF-8."
    assert notes.changes == {tmp_path / "a.txt": {"decoded as Latin-1": 1}}
    assert list(notes.files) == [tmp_path / "a.txt"]


def test_windows_quotation_marks_are_read(tmp_path):
    assert _both(tmp_path / "a.txt", TEXT.encode("cp1252"))[:2] == (TEXT, TEXT)


def test_a_broken_byte_in_utf_8_is_no_latin_1(tmp_path):
    raw = TEXT.encode().replace(b"vorbei", b"vor\xffbei")
    path = tmp_path / "a.txt"
    path.write_bytes(raw)
    with taking_notes() as notes, opened_text(path) as file:
        assert file.read() == TEXT.replace("vorbei", "vor\ufffdbei")
    (problem,) = notes.problems.kept
    assert (
        problem.what == f"holds bytes that are no UTF-8 (the first near byte {raw.index(255) + 1})"
    )
    with taking_notes(), pytest.raises(InputError, match="is no text in UTF-8"):
        read_text(path)


def test_a_letter_that_two_pieces_share_stays_whole(tmp_path):
    """Also where a broken byte follows later, and where the file ends in the middle of a letter."""
    raw = ("ü" * 1000 + "x").encode()

    class Slow(io.BytesIO):
        def read(self, _size: int | None = -1, /) -> bytes:
            return super().read(7)

    assert recoded(Slow(raw), tmp_path / "a").read() == raw
    with taking_notes() as notes:
        assert recoded(Slow(raw + b"\xff"), tmp_path / "a").read() == raw + "\ufffd".encode()
        assert recoded(Slow(raw + b"\xc3"), tmp_path / "b").read() == raw + "\ufffd".encode()
    assert [problem.file for problem in notes.problems.kept] == ["a", "b"]


def test_who_takes_no_notes_is_refused(tmp_path):
    (tmp_path / "a.txt").write_bytes(LATIN.encode("latin-1"))
    with pytest.raises(InputError, match=r"is no text in UTF-8 \(byte 5\); save it as UTF-8"):
        read_text(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("head", "kind"),
    [(b"PK\x03\x04\xff", "is a ZIP archive"), (b"\x1f\x8b\x08", "is a gzip file whose name does not end in .gz"),
     (b"\x80\x04\x95", "is a pickle of Python"), (b"\xff\x00\x01\x02", "is binary")],
)  # fmt: skip
def test_binary_files_are_named(tmp_path, head, kind):
    path = tmp_path / "a.jsonl"
    path.write_bytes(head + b"\0\1\2" * 50)
    with (
        taking_notes(),
        opened_text(path) as file,
        pytest.raises(InputError, match=f"a.jsonl: {kind}"),
    ):
        file.read()
    with taking_notes(), pytest.raises(InputError, match=f"a.jsonl: {kind}"):
        read_text(path)


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT, "v7"])
def test_a_tar_archive_is_named_whatever_its_name_is(tmp_path, form):
    """It holds texts, so that its bytes alone look like lines of text."""
    line = tmp_path / "lines.jsonl"
    line.write_text('{"instruction_id": "1_0", "path": ["a", "b"]}\n' * 20)
    path = tmp_path / "walks.jsonl"
    with tarfile.open(path, "w", format=form if isinstance(form, int) else None) as archive:
        archive.add(line, "lines.jsonl")
    raw = path.read_bytes()
    if form == "v7":  # the oldest form has no name of its own, only the sum of the block
        block = bytearray(raw[:257].ljust(512, b"\0"))
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
        raw = bytes(block) + raw[512:]
        path.write_bytes(raw)
    (tmp_path / "walks.jsonl.gz").write_bytes(gzip.compress(raw))
    for name in ("walks.jsonl", "walks.jsonl.gz"):
        sentence = f"{name}: is a tar archive; unpack it and open the folder"
        with pytest.raises(InputError, match=sentence), opened_text(tmp_path / name):
            pass
        with pytest.raises(InputError, match=sentence):
            open_results(tmp_path / name, _no_graph)
    assert read_text(line).startswith("{")


def test_files_of_one_name_are_told_apart(tmp_path):
    for folder in ("000_a", "001_b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.jsonl").write_bytes(LATIN.encode("latin-1"))
    with taking_notes() as notes:
        for path in sorted(tmp_path.glob("*/*")):
            read_text(path)
    assert [problem.file for problem in notes.problems.kept] == ["000_a/t.jsonl", "001_b/t.jsonl"]
