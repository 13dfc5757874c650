"""Public data sets by name: where they come from, where they go, how they are unpacked."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from navviz.datasets.downloads import OnProgress, cannot_write, check_space, download
from navviz.errors import InputError, SettingsError, StoreError
from navviz.support.guarded import read_json, write_whole

MARK = ".navviz-fetched.json"
"""Written last into a folder, so that a folder with it is whole."""
_LARGEST_BYTES = 8_000_000_000
"""Unpacked; Map2Seq has well under 1 GB."""
_MOST_MEMBERS = 100_000
"""Empty files fill a disk's table of files, too; NavGPT's texts are some 20,000."""

_ROOT = "/"
"""Dropbox begins the archive of a folder with this member, which means the folder itself."""

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeError,
)
"""What zipfile raises for an archive that is cut, damaged, encrypted or packed in an unknown way.
"""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One that can be fetched."""

    name: str
    about: str
    url: str
    proof: str
    """A file name that lies somewhere in it; an archive without is another one."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch did."""

    folder: Path
    already_there: bool
    files: int


DATA_SETS = {
    "map2seq": DataSet(
        name="map2seq",
        about=(
            "Map2Seq v1.0: the street graph of Manhattan and routes with instructions (Schumann and"
            " Riezler 2021)"
        ),
        url="https://map2seq-assets.schumann.pub/map2seq_v1-0.zip",
        proof="nodes.txt",
    ),
    "navgpt-text": DataSet(
        name="navgpt-text",
        about=(
            "NavGPT's texts of the Matterport3D houses: sentences, objects, ways on (Zhou et al."
            " 2023)"
        ),
        url="https://www.dropbox.com/sh/i8ng3iq5kpa68nu/AAB53bvCFY_ihYx1mkLlOB-ea?dl=1",
        proof="17DRP5sb8fy_summarized.json",
    ),
}


def data_set(name: str) -> DataSet:
    """Return the data set of that name; raises `SettingsError` when there is none."""
    if name not in DATA_SETS:
        raise SettingsError(
            f"There is no data set {name!r} to fetch; choose one of: {', '.join(DATA_SETS)}."
        )
    return DATA_SETS[name]


def fetch(
    wanted: DataSet, folder: Path, url: str | None = None, on_progress: OnProgress | None = None
) -> Fetched:
    """Download and unpack a data set into `folder`, unless it is there already.

    The archive is kept beside the folder while it loads, so that another call goes on with it, and
    deleted in the end.

    Raises
    ------
    InputError
        When it cannot be loaded, or what comes is no such archive.
    StoreError
        When the folder holds something else, or the disk is full or not writable.
    """
    files = _files_there(wanted, folder)
    if files:
        return Fetched(folder, already_there=True, files=files)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreError(
            f"{folder}: holds something else already; choose another folder with --to, or empty it."
        )
    archive = folder.with_name(folder.name + ".zip")
    download(url or wanted.url, archive, on_progress)
    try:
        files = unpack(archive, folder, wanted.proof)
        write_whole(folder / MARK, json.dumps({"url": url or wanted.url, "files": files}))
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        archive.unlink(missing_ok=True)  # whole or of no use: a broken one must not be gone on with
    return Fetched(folder, already_there=False, files=files)


def _files_there(wanted: DataSet, folder: Path) -> int:
    """How many files of the data set lie in a folder; 0 where it is not whole."""
    if not folder.is_dir():
        return 0
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != MARK]
    if not any(path.name == wanted.proof for path in files):
        return 0
    try:
        if not (folder / MARK).exists():
            return len(files)  # unpacked by hand
        noted = read_json(folder / MARK).get("files")
    except (InputError, AttributeError):
        return 0
    return len(files) if isinstance(noted, int) and len(files) >= noted else 0


def unpack(archive: Path, folder: Path, proof: str = "") -> int:
    """Unpack a zip archive into a new folder, whole or not at all; the number of files.

    Raises
    ------
    InputError
        When it is no whole zip archive, has a member that leads out of the folder, or lacks the
        file `proof`.
    StoreError
        When the disk has too little room.
    """
    part = folder.with_name(folder.name + ".unpacking")
    # left by a process that was ended in the middle
    shutil.rmtree(part, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as opened:
            members = _checked(opened, archive, proof)
            part.mkdir(parents=True)
            check_space(part, sum(member.file_size for member in members))
            for member in members:
                opened.extract(member, part)
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder)
    except _BROKEN as error:
        what = f"is no whole zip archive ({error})"
        raise InputError(
            what, "run the command again, or give another address with --url", file=archive
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return sum(not member.is_dir() for member in members)


def _checked(opened: zipfile.ZipFile, archive: Path, proof: str) -> list[zipfile.ZipInfo]:
    members = [member for member in opened.infolist() if member.filename != _ROOT]
    for member in members:
        if not _is_safe(member):
            what = f"its member {member.filename!r} would be written outside of the folder"
            raise InputError(what, "nothing was unpacked; use another source", file=archive)
    if sum(member.file_size for member in members) > _LARGEST_BYTES or len(members) > _MOST_MEMBERS:
        raise InputError(
            "is far too large when unpacked",
            "nothing was unpacked; use another source",
            file=archive,
        )
    if proof and not any(PurePosixPath(member.filename).name == proof for member in members):
        raise InputError(
            f"holds no {proof}", "it is another archive: check the address", file=archive
        )
    return members


def _is_safe(member: zipfile.ZipInfo) -> bool:
    # on Windows a backslash leads out of the folder as well
    path = PurePosixPath(member.filename.replace("\\", "/"))
    is_link = stat.S_ISLNK(member.external_attr >> 16)
    return not (
        path.is_absolute() or ".." in path.parts or ":" in (path.parts or ("",))[0] or is_link
    )
