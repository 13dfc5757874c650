"""Large worlds kept as arrays on this machine, so that they open in half a second.

One ``.npz`` a world in the user's cache folder, named by a hash (BLAKE2b) of every byte of the
world's files and of the reader's version. The whole content and not size and time of change: a
copy, an unpacked archive or a checkout keeps either while the bytes differ, and 150 MB are hashed
in 0.2 s by two threads. What is damaged (the archive's checksums tell), of another version or in a
folder that cannot be written counts as not there.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError, Problem, Problems
from navviz.support.guarded import FILE_BYTES, decode_reply, is_regular, opened_bytes, size_of
from navviz.support.installation.files import cache_folder, keep_file

LARGE_BYTES = 20_000_000
"""Smaller worlds (Manhattan has 12 MB) are read in less than half a second anyway."""
_KEPT = 6
"""Worlds in the cache; one of a million nodes takes 170 MB."""
_PART = 16_000_000
_LOG = logging.getLogger(__name__)

Arrays = Mapping[str, NDArray[np.generic]]


def key_of(files: Sequence[Path], version: str) -> str | None:
    """Return the name under which the content of `files` is kept; ``None`` where they are small.

    Files that are not there count as such. `version` is the reader's: another one reads anew.
    """
    there = [path for path in files if is_regular(path)]
    if sum(size_of(path, FILE_BYTES) for path in there) < LARGE_BYTES:
        return None
    whole = hashlib.blake2b(version.encode(), digest_size=20)
    with ThreadPoolExecutor(2) as pool:
        for path in there:
            whole.update(f"\0{path.name}\0".encode())
            starts = range(0, size_of(path, FILE_BYTES), _PART)
            for digest in pool.map(_hash_part, [path] * len(starts), starts):
                whole.update(digest)
    return whole.hexdigest()


def _hash_part(path: Path, start: int) -> bytes:
    with opened_bytes(path) as file:
        file.seek(start)
        return hashlib.blake2b(file.read(_PART)).digest()


def load(key: str | None) -> Arrays | None:
    """Return the arrays kept under a key; ``None`` where there are none, or damaged ones."""
    if key is None:
        return None
    path = _file(key)
    if not is_regular(path):
        return None
    try:
        # a pickle would run the code of whoever wrote into the folder
        with opened_bytes(path) as file, np.load(file, allow_pickle=False) as kept:
            return {name: kept[name] for name in kept.files}
    except (InputError, OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        _LOG.info("%s: not used, the world is read anew (%s)", path, error)
        return None


def save(key: str | None, arrays: Arrays) -> None:
    """Keep arrays under a key where the folder can be written; the oldest worlds make room."""
    if key is None:
        return
    path = _file(key)
    try:
        keep_file(path, lambda file: np.savez(file, allow_pickle=False, **arrays), _KEPT)
    except OSError as error:
        _LOG.info("%s: the world is not kept (%s)", path, error)


def _file(key: str) -> Path:
    return cache_folder("worlds") / f"{key}.npz"


def packed_texts(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Lines of text as bytes; they hold no line break, since they come from lines."""
    return np.frombuffer("\n".join(texts).encode(), np.uint8)


def unpacked_texts(packed: NDArray[np.generic], count: int) -> list[str]:
    """Return the `count` texts that `packed_texts` took; raises `ValueError` for others."""
    texts = packed.tobytes().decode().split("\n") if count else []
    if len(texts) != count:
        raise ValueError(f"{len(texts)} texts where {count} were kept")
    return texts


def packed_problems(problems: Problems) -> bytes:
    """Return what was reported of the files, to be told again."""
    summary = {
        "count": problems.count,
        "kept": [asdict(problem) for problem in problems.kept],
        "skipped": [[*key, count] for key, count in problems.skipped.items()],
        "usual": dict(problems.usual),
    }
    return json.dumps(summary).encode()


def unpacked_problems(packed: bytes) -> Problems:
    """Return the problems that `packed_problems` took; raises `ValueError` for anything else."""
    summary = decode_reply(packed.decode())
    skipped = Counter({(file, episode): count for file, episode, count in summary["skipped"]})
    kept = [Problem(**problem) for problem in summary["kept"]]
    return Problems(kept, summary["count"], skipped=skipped, usual=Counter(summary["usual"]))
