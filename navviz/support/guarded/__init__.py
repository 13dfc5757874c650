"""The one way in and out for files: regular, of bounded size, as text or sound JSON.

What cannot be taken is an `InputError` of one sentence that names the file. Refused are pipes,
devices and folders, files above a limit, packed files that hold far more than data do, text that is
no UTF-8, JSON that is nested too deeply, numbers that are not finite or too large for a float, and
halves of a character (lone surrogates), which no file, browser or database takes back. With
`lenient`, for what other programs logged, the last two are no reason to lose a file: such a number
counts as missing, such a half is shown as U+FFFD.

`tests/test_guarded.py` holds that nothing else in NavViz opens, decodes or unpacks by itself.
"""

from __future__ import annotations

from navviz.support.guarded.archives import folder_places, unpack_zip, unpacked_bytes
from navviz.support.guarded.decoding import (
    MAX_DEPTH,
    MAX_DIGITS,
    Json,
    decode_reply,
    is_deep,
    mended,
    parse_json,
    whole_floats,
    whole_or_float,
)
from navviz.support.guarded.encodings import (
    decoded,
    head_decoded,
    line_decoded,
    marked_encoding,
    refuse_binary,
)
from navviz.support.guarded.files import (
    FILE_BYTES,
    MAX_BYTES,
    bytes_at,
    framed,
    head_bytes,
    head_text,
    is_folder,
    is_regular,
    is_there,
    listed_bytes,
    opened_bytes,
    opened_lines,
    opened_text,
    opened_utf8,
    read_json,
    read_text,
    sha256_of,
    size_of,
    tail_bytes,
    xml_events,
)
from navviz.support.guarded.notes import (
    Notes,
    changed,
    count_entries,
    decoded_as,
    looked_in,
    note,
    noted,
    replay,
    touched,
)
from navviz.support.guarded.numbers import (
    BadNumber,
    bad_numbers,
    finite,
    is_finite,
    json_text,
    natural,
    parse_marking_numbers,
)
from navviz.support.guarded.packed import UnpackedTooMuchError
from navviz.support.guarded.pictures import (
    PICTURE_BYTES,
    PictureHead,
    as_webp,
    decoded_picture,
    path_inside,
    picture_head,
    read_picture,
)
from navviz.support.guarded.progress import (
    SLOW_BYTES,
    ReadProgress,
    expect,
    expect_all,
    passed,
    watched,
)
from navviz.support.guarded.tables import as_typed, csv_rows, csv_table, csv_text, harmless, visible
from navviz.support.guarded.writing import not_written, replacing, write_whole

__all__ = [
    "FILE_BYTES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "PICTURE_BYTES",
    "SLOW_BYTES",
    "BadNumber",
    "Json",
    "Notes",
    "PictureHead",
    "ReadProgress",
    "UnpackedTooMuchError",
    "as_typed",
    "as_webp",
    "bad_numbers",
    "bytes_at",
    "changed",
    "count_entries",
    "csv_rows",
    "csv_table",
    "csv_text",
    "decode_reply",
    "decoded",
    "decoded_as",
    "decoded_picture",
    "expect",
    "expect_all",
    "finite",
    "folder_places",
    "framed",
    "harmless",
    "head_bytes",
    "head_decoded",
    "head_text",
    "is_deep",
    "is_finite",
    "is_folder",
    "is_regular",
    "is_there",
    "json_text",
    "line_decoded",
    "listed_bytes",
    "looked_in",
    "marked_encoding",
    "mended",
    "natural",
    "not_written",
    "note",
    "noted",
    "opened_bytes",
    "opened_lines",
    "opened_text",
    "opened_utf8",
    "parse_json",
    "parse_marking_numbers",
    "passed",
    "path_inside",
    "picture_head",
    "read_json",
    "read_picture",
    "read_text",
    "refuse_binary",
    "replacing",
    "replay",
    "sha256_of",
    "size_of",
    "tail_bytes",
    "touched",
    "unpack_zip",
    "unpacked_bytes",
    "visible",
    "watched",
    "whole_floats",
    "whole_or_float",
    "write_whole",
    "xml_events",
]
