"""The events of a file in whatever spelling, and where its traces begin."""

from __future__ import annotations

import io
import json

import pytest

from navviz.records import trace_parts
from navviz.records.trace_lines import TraceLine, trace_lines

HEADER = b'{"type":"header","run":"a"}\n'
STEP = b'{"type":"step","index":1}\n'


def _lines(raw: bytes) -> list[TraceLine]:
    lines = list(trace_lines(io.BytesIO(raw)))
    assert all(raw[line.start : line.start + len(line.raw)] == line.raw for line in lines)
    return lines


def _numbered(raw: bytes) -> list[tuple[int, bool]]:
    return [(line.number, line.is_header) for line in _lines(raw)]


def test_each_line_is_an_event_with_its_number():
    assert _numbered(HEADER + STEP + b"\n \n" + STEP + HEADER) == [
        (1, True),
        (2, False),
        (5, False),
        (6, True),
    ]


class _Growing(io.BytesIO):
    """A file that ends within a line, and goes on when it is asked again."""

    def readline(self, size: int | None = -1) -> bytes:
        line = super().readline(size)
        if line != STEP:
            return line
        self.seek(10 - len(line), io.SEEK_CUR)
        return line[:10]


def test_what_follows_a_line_that_was_cut_is_read_the_next_time():
    lines = list(trace_lines(_Growing(HEADER + STEP + STEP)))
    assert [line.raw for line in lines] == [HEADER, STEP[:10]]


@pytest.mark.parametrize(
    "line",
    [
        b'{"run":"a","type":"header"}',
        b'{"run": "a", "type": "header"}',
        b'\xef\xbb\xbf{"type":"header"}',
        b' \t{"type":"header"}',
        b'{"\\u0074ype":"h\\u0065ader"}',
        b'{"run":"\\ud800","type":"header"}',
        b'{"run":"caf\xe9","type":"header"}',
        b'{"run":NaN,"type":"header"}',
        b'{"run":{"type":"step"},"type":"header"}',
    ],
)
def test_a_header_is_one_in_every_spelling(line):
    assert _numbered(STEP + line + b"\n" + STEP) == [(1, False), (2, True), (3, False)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"panel","panel":{"data":{"type":"header"}}}',
        b'{"panel":{"data":{"type":"header"}},"type":"panel"}',
        b'{"type":"call","call":{"reply":"{\\"type\\":\\"header\\"}"}}',
        b'{"type": "call", "call": {"reply": "a header"}}',
        b'["type", "header"]',
        b'"header"',
        b"the header",
    ],
)
def test_what_only_looks_like_a_header_is_none(line):
    assert _numbered(HEADER + line + b"\n") == [(1, True), (2, False)]


def test_a_header_behind_a_line_that_was_cut_off_is_found():
    """``cat`` puts them on one line, since a killed writer leaves no line end."""
    cut = b'{"type":"move","pa'
    assert [(line.raw, line.is_header) for line in _lines(HEADER + cut + HEADER)][1:] == [
        (cut, False),
        (HEADER, True),
    ]
    spelled = b'{"type" : "header", "run": "a"}\n'
    half = b'{"type": "header", "ep'
    assert [(line.raw, line.is_header) for line in _lines(half + spelled)] == [
        (half, True),
        (spelled, True),
    ]


def test_a_header_that_is_cut_off_begins_a_trace():
    assert _numbered(HEADER + b'{"run": "a", "type": "header", "epi\n' + STEP) == [
        (1, True),
        (2, True),
        (3, False),
    ]


@pytest.mark.parametrize("indent", [0, 2, "\t"])
def test_values_may_be_spread_over_lines(indent):
    events = [
        {"type": "header", "episode": {"id": "{", "tasks": [{"a": [1]}, {"b": "}"}]}},
        {"type": "step", "panels": [{}, {"x": {}}]},
        {"type": "header"},
    ]
    raw = "".join(json.dumps(event, indent=indent) + "\n" for event in events).encode()
    for each in (raw, raw.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + raw, b"\n" + raw):
        lines = _lines(each)
        assert [json.loads(line.raw) for line in lines] == events
        assert [line.is_header for line in lines] == [True, False, True]


def test_an_indented_value_that_is_cut_off_takes_no_other_with_it():
    cut = b'{\n  "type": "step",\n  "ind'
    whole = b'{\n  "type": "header"\n}\n'
    assert [line.raw for line in _lines(cut + b"\n" + whole)] == [cut + b"\n", whole]
    assert [line.raw for line in _lines(cut + b"\n" + HEADER)] == [cut + b"\n", HEADER]


def test_numbers_and_bytes_of_a_part_are_those_of_its_file():
    lines = list(trace_lines(io.BytesIO(HEADER + STEP), first_number=7, first_byte=100))
    assert [(line.number, line.start) for line in lines] == [(7, 100), (8, 100 + len(HEADER))]


@pytest.mark.parametrize("block", [1, 7, 40, 1 << 20])
def test_the_fast_way_through_a_file_lists_the_same_traces(block, monkeypatch):
    monkeypatch.setattr(trace_parts, "_BLOCK", block)
    own = (HEADER + STEP * 3) * 4
    for raw in (own, own[:-1], HEADER, own + HEADER[:20]):
        fast = trace_parts._own_parts(io.BytesIO(raw))
        assert fast is not None
        monkeypatch.setattr(trace_parts, "_own_parts", lambda _file: None)
        assert trace_parts.parts_of(io.BytesIO(raw)) == fast
        monkeypatch.undo()
        monkeypatch.setattr(trace_parts, "_BLOCK", block)


@pytest.mark.parametrize(
    "raw",
    [
        STEP + HEADER,
        b"\xef\xbb\xbf" + HEADER + STEP,
        HEADER + b"\n" + STEP,
        HEADER + STEP + b'{"run":"b","type":"header"}\n',
        HEADER + b'{"type":"move","pa' + HEADER,
        b"",
    ],
)
def test_the_fast_way_leaves_other_spellings_alone(raw):
    assert trace_parts._own_parts(io.BytesIO(raw)) is None
