"""Public data sets by name: where they come from, where they go, how they are unpacked."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import shutil
import stat
import time
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final
from urllib.parse import urlsplit

from navviz.errors import InputError, NavVizError, SettingsError, StoreError
from navviz.support.guarded import head_text, is_regular, read_json, write_whole

OnProgress = Callable[[int, int | None], None]
"""Told the bytes that are there and the bytes of the whole, where the server says."""

_CHUNK_BYTES = 1 << 18
"""Small enough that Cancel acts within a second on a slow line."""

_RESUMES = 4
"""How often a cut connection is taken up again before the user is asked to."""

_PAUSE_S = 0.5
"""A server that cut the line is not asked again at once."""

_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18}|\*)")

_LENGTH = re.compile(r"[0-9]{1,18}")

_TAG = re.compile(r"[!-~][ -~]{0,500}")
"""What may be sent back in a header."""

LARGEST_BYTES: Final = 8_000_000_000
"""Of a whole download; Map2Seq has well under 1 GB, and a server that never ends would fill the
disk.
"""

_CHECK_URL = "check the address, or give another one with --url"


class _CutError(Exception):
    """The connection ended before the file did."""


class _EndlessError(Exception):
    """The reply is larger than any data set."""


class _WebOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects to web addresses alone, and none that leaves encryption."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        *reply: Any,  # noqa: ANN401
    ) -> urllib.request.Request | None:
        """Return the next request; raises `InputError` for an address that is not followed."""
        to = str(reply[-1])
        left, right = urlsplit(req.full_url).scheme, urlsplit(to).scheme
        if right not in {"http", "https"} or (left, right) == ("https", "http"):
            what = f"sends on to {to[:200]!r}, which is not followed"
            raise InputError(what, _CHECK_URL, file=req.full_url)
        return super().redirect_request(req, *reply)

    def http_error_302(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
    ) -> Any:  # noqa: ANN401 - as the class above declares it
        """Follow a redirect; one that is not followed leaves no connection open."""
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except BaseException:
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


@dataclass(frozen=True, slots=True)
class _Opened:
    """A reply that is being read."""

    body: IO[bytes]
    begin: int
    """Where in the file it begins."""
    total: int | None
    tag: str
    """What tells this version of the file from another (ETag, or else the date)."""


def download(
    url: str, target: Path, on_progress: OnProgress | None = None, timeout_s: float = 30.0
) -> Path:
    """Download `url` to `target`, going on with ``<target>.part`` where an earlier try was cut off.

    A part is gone on with only where the server says that its file is still the same (ETag or
    date); else the file is loaded whole. ``<target>.part`` stays for the next try unless it is of
    no use. Raises `SettingsError` when the address is no web address; `InputError` when there is no
    network, the server refuses, the connection is cut again and again, or the size is wrong;
    `StoreError` when the disk is full or not writable.
    """
    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
        raise SettingsError(f"--url {url}: is no web address; it should begin with https://.")
    part = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(_RESUMES + 1):
            try:
                _download_once(url, part, on_progress or _silent, timeout_s)
                break
            except _CutError as error:
                if attempt == _RESUMES:
                    have = part.stat().st_size if part.exists() else 0
                    what = f"the connection was cut after {have:,} bytes ({error})"
                    raise InputError(
                        what, "run the command again to go on from there", file=url
                    ) from error
                time.sleep(_PAUSE_S)
        # the target's name appears only with the whole file
        part.replace(target)
    except _EndlessError as error:
        part.unlink(missing_ok=True)
        _tag_file(part).unlink(missing_ok=True)
        what = f"sends more than {LARGEST_BYTES / 1e9:g} GB, which no data set here has"
        raise InputError(what, _CHECK_URL, file=url) from error
    except OSError as error:
        raise cannot_write(target, error) from error
    _tag_file(part).unlink(missing_ok=True)
    return target


def _silent(_done: int, _total: int | None) -> None:
    """Tell nobody."""


def _tag_file(part: Path) -> Path:
    return part.with_name(part.name + ".tag")


def _download_once(url: str, part: Path, on_progress: OnProgress, timeout_s: float) -> None:
    have, tag = _kept_part(part)
    opened = _open(url, have, tag, timeout_s)
    with opened.body:
        if (opened.total or 0) > LARGEST_BYTES:
            raise _EndlessError
        check_space(part.parent, (opened.total or 0) - opened.begin)
        # before the first byte: a part without a tag cannot be gone on with
        _tag_file(part).write_text(opened.tag, encoding="utf-8")
        with part.open("ab" if opened.begin else "wb") as file:
            _copy(opened, file, on_progress)
    size = part.stat().st_size
    if opened.total is None or size == opened.total:
        return
    if size < opened.total:
        raise _CutError(f"of {opened.total:,}")
    part.unlink()
    raise InputError(
        f"sent {size:,} bytes, more than the {opened.total:,} it spoke of",
        "try again later",
        file=url,
    )


def _kept_part(part: Path) -> tuple[int, str]:
    """Bytes that can be gone on with, and the tag of the version they belong to."""
    tag = head_text(_tag_file(part), 1000).strip()
    return (part.stat().st_size, tag) if tag and is_regular(part) else (0, "")


def _copy(opened: _Opened, file: IO[bytes], on_progress: OnProgress) -> None:
    done = opened.begin
    on_progress(done, opened.total)
    while True:
        try:
            chunk = opened.body.read(_CHUNK_BYTES)
        except http.client.IncompleteRead as error:
            # what came before the cut counts for the next try
            file.write(error.partial)
            raise _CutError("the server hung up") from error
        except (OSError, http.client.HTTPException) as error:
            raise _CutError(str(error) or type(error).__name__) from error
        if not chunk:
            return
        done += len(chunk)
        if done > LARGEST_BYTES:
            raise _EndlessError
        file.write(chunk)
        on_progress(done, opened.total)


def _open(url: str, have: int, tag: str, timeout_s: float) -> _Opened:
    # of a packed reply, the bytes on the disk are not those that a range counts
    headers = {"User-Agent": "navviz", "Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": tag}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme was checked
    try:
        reply = urllib.request.build_opener(_WebOnly).open(request, timeout=timeout_s)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            # the part does not fit the file of the server: load it whole
            return _open(url, 0, "", timeout_s)
        do = (
            "try again later" if error.code >= http.HTTPStatus.INTERNAL_SERVER_ERROR else _CHECK_URL
        )
        reason = " ".join(str(error.reason).split())[:200]
        raise InputError(f"the server answers {error.code} ({reason})", do, file=url) from error
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
        raise _unreachable(url, error) from error
    tag = reply.headers.get("ETag") or reply.headers.get("Last-Modified") or ""
    # a weak tag does not promise the same bytes
    tag = tag if _TAG.fullmatch(tag) and not tag.startswith("W/") else ""
    length = reply.headers.get("Content-Length", "")
    if reply.status != http.HTTPStatus.PARTIAL_CONTENT:
        return _Opened(reply, 0, int(length) if _LENGTH.fullmatch(length) else None, tag)
    match = _CONTENT_RANGE.match(reply.headers.get("Content-Range", ""))
    if match is None or int(match[1]) != have:
        reply.close()
        raise InputError(
            "answers with another part of the file than was asked for", _CHECK_URL, file=url
        )
    return _Opened(reply, have, None if match[2] == "*" else int(match[2]), tag)


def _unreachable(url: str, error: Exception) -> NavVizError:
    reason = " ".join(str(getattr(error, "reason", None) or error).split())[:200]
    what = f"{urlsplit(url).hostname} cannot be reached ({reason})"
    do = "check the network, or load the file in a browser elsewhere and unpack it yourself"
    return InputError(what, do, file=url)


def check_space(folder: Path, needed_bytes: int) -> None:
    """Raise `StoreError` when a folder's disk has less room than `needed_bytes`."""
    free = shutil.disk_usage(folder).free
    if needed_bytes > free:
        what = f"needs {needed_bytes / 1e6:,.0f} MB and the disk has {free / 1e6:,.0f} MB left"
        raise StoreError(f"{folder}: {what}; free some space or choose another folder with --to.")


def cannot_write(path: Path, error: OSError) -> StoreError:
    """Return the error of a file that cannot be written, as a sentence."""
    full = error.errno in {errno.ENOSPC, errno.EDQUOT}
    reason = "the disk is full" if full else error.strerror or os.strerror(error.errno or 0)
    do = (
        "free some space, then run the command again to go on"
        if full
        else "choose another folder with --to"
    )
    return StoreError(f"{path}: cannot be written ({reason}); {do}.")


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
    deleted in the end. Raises `InputError` when it cannot be loaded, or what comes is no such
    archive; `StoreError` when the folder holds something else, or the disk is full or not writable.
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

    Raises `InputError` when it is no whole zip archive, has a member that leads out of the folder,
    or lacks the file `proof`; `StoreError` when the disk has too little room.
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
