"""`Mapping`: what the fields of a foreign log are, as data; read from TOML and written to it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from collections.abc import Mapping as Pairs
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from navviz.errors import InputError
from navviz.records.base import Record
from navviz.support.guarded import Json, is_regular, read_text, write_whole

MOST_CHARACTERS = 300

MOST_PARTS = 24
"""Deeper paths are refused; the deepest that a published log needs has 7."""

_BARE = re.compile(r"[^.\[\]{}\"]+")

_INDEX = re.compile(r"-?\d{1,9}")

_SLICE = re.compile(r"(\d{1,9}):(\d{1,9})")


@dataclass(frozen=True, slots=True)
class PathPart:
    """One part of a path."""

    kind: Literal["key", "index", "slice", "items", "values"]
    key: str = ""
    start: int = 0
    stop: int = 0


PathParts = tuple[PathPart, ...]

Keys = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1024)
def parse_path(text: str) -> PathParts:
    """Return the parts of a path; raises `ValueError` where it is none."""
    # before it is parsed: paths of strangers are cached, too
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a path has at most {MOST_CHARACTERS} characters")
    parts: list[PathPart] = []
    at = 0
    while at < len(text):
        if text[at] == ".":
            # "a..b" and "a." are typing errors, and would silently find nothing
            if not parts or text[at + 1 : at + 2] in {"", ".", "["}:
                raise ValueError(f"{text!r} has a dot without a name")
            at += 1
        part, at = _part(text, at)
        parts.append(part)
    if len(parts) > MOST_PARTS:
        raise ValueError(f"a path has at most {MOST_PARTS} parts")
    return tuple(parts)


def _part(text: str, at: int) -> tuple[PathPart, int]:
    closer = {"[": "]", "{": "}", '"': '"'}.get(text[at])
    if closer is None:
        match = _BARE.match(text, at)
        if match is None:
            raise ValueError(f"{text!r} has a bracket without its partner")
        return PathPart("key", match[0]), match.end()
    end = text.find(closer, at + 1)
    if end < 0:
        raise ValueError(f"{text!r} has a {text[at]} that does not end")
    inner = text[at + 1 : end]
    if closer == '"':
        return PathPart("key", inner), end + 1
    if closer == "}":
        return PathPart("values", inner), end + 1
    return _bracket(inner, text), end + 1


def _bracket(inner: str, text: str) -> PathPart:
    if inner == "*":
        return PathPart("items")
    if _INDEX.fullmatch(inner):
        return PathPart("index", start=int(inner))
    match = _SLICE.fullmatch(inner)
    if match is None:
        raise ValueError(f"{text!r} has [{inner}]; write [*], [0], [-1] or [3:7]")
    return PathPart("slice", start=int(match[1]), stop=int(match[2]))


def entries(value: Json, path: PathParts) -> Iterator[tuple[str, Json]]:
    """Yield what a path leads to, each with the keys or indices that it took of many.

    Every item of a list gives something, ``None`` where the rest of the path is missing, so that
    two paths through one list stay aligned.
    """
    for name, _, item in keyed_entries(value, path):
        yield name, item


def keyed_entries(
    value: Json, path: PathParts, name: str = "", keys: Keys = ()
) -> Iterator[tuple[str, Keys, Json]]:
    """Yield the same, each with the keys that its ``{name}`` parts took: name and key."""
    if not path:
        yield name, keys, value
        return
    part, rest = path[0], path[1:]
    if part.kind == "items":
        # of another type it is no error: entries of one log differ
        items = value if isinstance(value, list) else []
        for number, item in enumerate(items):
            # in a list of lists, the place in each: an index alone would name several
            inner = f"{name}_{number}" if name else str(number)
            yield from keyed_entries(item, rest, inner, keys)
    elif part.kind == "values":
        pairs = value if isinstance(value, dict) else {}
        for key, item in pairs.items():
            yield from keyed_entries(item, rest, str(key), (*keys, (part.key, str(key))))
    else:
        yield from keyed_entries(_taken(value, part), rest, name, keys)


def misfits(value: Json, path: PathParts) -> Iterator[Json]:
    """Yield what a path leads to, and what stands on its way and is no list or object."""
    if not path or value is None:
        if value is not None:
            yield value
        return
    is_object = path[0].kind in {"key", "values"}
    if not isinstance(value, dict if is_object else list):
        yield {"": value}
        return
    for _, item in entries(value, path[:1]):
        yield from misfits(item, path[1:])


def _taken(value: Json, part: PathPart) -> Json:
    if part.kind == "key":
        return value.get(part.key) if isinstance(value, dict) else None
    if not isinstance(value, list):
        return None
    if part.kind == "slice":
        return value[part.start : part.stop]
    # a missing item is None, so that two paths through one list stay aligned
    return value[part.start] if -len(value) <= part.start < len(value) else None


def first_value(value: Json, text: str) -> Json:
    """Return the first thing that a path leads to; ``None`` where there is none."""
    return next((each for _, each in entries(value, parse_path(text))), None)


def series(value: Json, text: str) -> list[Json]:
    """Return all that a path leads to; a path to one list gives its items."""
    path = parse_path(text)
    if [part.kind for part in path] == ["key", "items", "key"]:
        # rows of a table, a million of them: the way for all paths takes twenty times as long
        rows = _taken(value, path[0])
        return [_taken(row, path[2]) for row in rows] if isinstance(rows, list) else []
    values = [each for _, each in entries(value, path)]
    spread = any(part.kind in {"items", "values"} for part in path)
    if not spread:
        only = values[0] if values else None
        return only if isinstance(only, list) else []
    return values


def key_text(key: str) -> str:
    """Return a key as it is written in a path; quoted where it holds dots or brackets."""
    return key if _BARE.fullmatch(key) else f'"{key}"'


def joined(path: str, part: str) -> str:
    """Return a path with one more part, such as ``name``, ``[*]`` or ``{key}``."""
    return path + part if not path or part.startswith("[") else f"{path}.{part}"


SIDECAR = ".navviz.toml"
"""Ends the name of the file in which the mapping of a file or folder lies beside it."""

MAPPING_BYTES = 100_000

BY_FILE = "{file}"
"""Groups the rows of each file of a folder; as an id it is the name of the file."""

Frame = Literal[
    "habitat", "unity", "camera", "matterport", "enu", "ned", "latlon", "lonlat", "pixels"
]  # fmt: skip
"""Habitat's and Unity's frames have two coordinates, x and z, where a log has no height."""

FRAMES: tuple[Frame, ...] = get_args(Frame)

Format = Literal["json", "json lines", "csv", "parquet", "gpx", "kml", "printed"]


def _checked(text: str) -> str:
    parse_path(text)
    return text


def _as_list(value: Any) -> Any:  # noqa: ANN401 - whatever the file holds
    return (value,) if isinstance(value, str) else value


def _as_digit(value: Any) -> Any:  # noqa: ANN401 - whatever the file holds
    # the command line gives texts
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _inside(pattern: str) -> str:
    """Refuse a pattern of file names that leads out of the folder, or through too many folders."""
    # a mapping may come from a stranger: it names no file outside of its folder
    parts = pattern.replace("\\", "/").split("/")
    if pattern.startswith(("/", "~")) or ".." in parts or ":" in parts[0]:
        raise ValueError("write the names of files within the folder of the data")
    # deep or branching patterns would walk through a whole disk
    if len(parts) > 6 or "**" in pattern or pattern.count("*") > 8 or "[" in pattern:
        raise ValueError("at most five folders deep, and no ** or [ ]")
    return pattern


def _part_name(name: str) -> str:
    """Refuse names of parts that do not tell which part of how many a file is."""
    if sorted(re.findall(r"\{(\w*)\}", name)) != ["count", "part", "stem"]:
        raise ValueError("a name of parts has {stem}, {part} and {count}, each once")
    if "/" in name or "\\" in name:
        raise ValueError("parts lie in one folder: write their names alone")
    return name


def _picture_name(name: str) -> str:
    """Refuse names of pictures that lead out of the folder of the log."""
    _inside(name)
    if "*" in name or "?" in name:
        raise ValueError("write the name of one picture; {world} stands for the world")
    return name


def _folder_name(name: str) -> str:
    """Refuse names of folders that lead out of the folder of the log."""
    _inside(name)
    if "*" in name or "?" in name:
        raise ValueError("write the name of one folder")
    return name


FieldPath = Annotated[str, AfterValidator(_checked)]

FolderName = Annotated[str, Field(max_length=200), AfterValidator(_folder_name)]

PictureName = Annotated[str, Field(max_length=200), AfterValidator(_picture_name)]

FieldPaths = Annotated[tuple[FieldPath, ...], BeforeValidator(_as_list), Field(max_length=4)]
"""One path, or one for each coordinate."""

FieldPathList = Annotated[tuple[FieldPath, ...], BeforeValidator(_as_list), Field(max_length=20)]

PartName = Annotated[str, Field(max_length=200), AfterValidator(_part_name)]

Glob = Annotated[str, Field(max_length=200), AfterValidator(_inside)]


class EpisodeFields(Record):
    """Where the parts of an episode are; ``{key}`` is its key in an object, ``{file}`` its file."""

    id: FieldPath = ""
    world: FieldPath = ""
    instruction: FieldPath = ""
    """With ``[*]`` the texts of all steps in their order, as the directions of a router."""
    start: FieldPaths = ()
    start_heading: FieldPath = ""
    """Where the agent looks at first; as the headings of the walk."""
    goal: FieldPaths = ()
    reference: FieldPaths = ()
    """Nodes or positions, as those of the walk."""


class WalkFields(Record):
    """Where the agent went; all series run along the steps."""

    nodes: FieldPath = ""
    positions: FieldPaths = ()
    pose_source: str = Field(default="as the log has them", max_length=200)
    """Where the poses come from; shown beside the walk."""
    frame: Frame = "habitat"
    metres_per_pixel: float | None = Field(default=None, gt=0, le=1e6, allow_inf_nan=False)
    picture: PictureName = ""
    """The picture that the pixels are of, in the folder of the log; ``{world}`` is its world."""
    polyline_digits: Annotated[Literal[5, 6], BeforeValidator(_as_digit)] = 5
    """Decimals of positions that are encoded polylines: Google's have 5, Valhalla's 6."""
    headings: FieldPaths = ()
    """One path, or one for each number of a quaternion or a vector."""
    heading_unit: Literal["degrees", "radians", "quaternion xyzw", "quaternion wxyz", "vector"] = (
        "degrees"
    )
    """A vector points ahead, in the frame of the positions."""
    looks_along: Literal["", "x", "y", "z", "-x", "-y", "-z"] = ""
    """The axis of the body that a quaternion turns and that points ahead; as the frame has it
    where none is given."""
    heading_direction: Literal["clockwise", "counter-clockwise"] = "clockwise"
    heading_zero_deg: float = Field(default=0.0, allow_inf_nan=False)
    """Compass direction of a heading of 0: 0 is north (indoors +y), 90 east."""
    actions: FieldPath = ""
    action_names: tuple[str, ...] = ()
    """Names of actions that are numbers, from 0; Habitat's where none are given."""
    moves: tuple[str, ...] = ()
    """Actions that lead to the next position, where only those have one; turns stay in place."""
    turn_deg: dict[str, Annotated[float, Field(gt=0, le=180)]] = Field(
        default_factory=dict, max_length=20
    )
    """Degrees of ``turn_left`` and ``turn_right`` by data set; used with `moves`."""
    stop: FieldPath = ""
    """Whether the agent stopped, along the places; the last one counts."""
    ends_by_stop: bool = False
    """Every walk ends by a stop that the log does not write."""
    turns: FieldPath = ""
    """How far the agent turned before each move, where no positions are written; as `headings`."""
    forwards: FieldPath = ""
    """How far it then went, in metres; the walk is reckoned from where the episode starts."""
    forward_step_m: float | None = Field(default=None, ge=1e-6, le=1e6, allow_inf_nan=False)
    """What it went in whole steps of."""
    moved_m: dict[str, Annotated[float, Field(ge=-1e3, le=1e3, allow_inf_nan=False)]] = Field(
        default_factory=dict, max_length=50
    )
    """How far each action leads ahead, where the log has actions and no positions."""
    turned_deg: dict[str, Annotated[float, Field(ge=-360, le=360)]] = Field(
        default_factory=dict, max_length=50
    )
    """How far each of them turns, to the right."""
    pictures: FieldPath = ""
    """The file of the picture that was seen at each place, beside the log."""
    picture_folder: FolderName = ""
    """The folder beside the log in which those files lie, where their names do not say it;
    ``{id}`` is the episode's."""
    observations: FieldPath = ""
    prompts: FieldPath = ""
    thoughts: FieldPath = ""
    replies: FieldPath = ""


class FigureField(Record):
    """A figure as its evaluator recorded it."""

    path: FieldPath
    unit: Literal["", "m", "cm", "km", "feet", "fraction", "percent", "steps"] = ""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:  # noqa: ANN401 - whatever the file holds
        return {"path": given} if isinstance(given, str) else given


HeadLine = Annotated[str, Field(min_length=3, max_length=200)]


class PrintedFields(Record):
    """Lines of a printed log that begin something; each ``{}`` takes a piece of the line."""

    episode: HeadLine
    """Takes the id."""
    step: Annotated[str, Field(max_length=200)] = ""
    """Takes the number; the steps are ``steps[*]`` of the episode."""
    episode_parts: dict[str, HeadLine] = Field(default_factory=dict, max_length=20)
    """Texts before the first step, by name: to the next head, the rest of their line included."""
    step_parts: dict[str, HeadLine] = Field(default_factory=dict, max_length=20)
    """The same for each step; a line with several ``{}`` gives a list."""


class MeansFields(Record):
    """Means that the evaluator wrote itself, to be compared with those of the episodes."""

    lines_with: FieldPathList = ()
    """Entries with one of these hold means and are no episodes."""
    file: Annotated[str, Field(max_length=200)] = ""
    """Name of a file of means beside the log; ``{stem}`` is the name of the run."""
    replace: tuple[str, str] | None = None
    """What stands in that name in place of what; without it there is no such file."""
    figures: dict[str, FieldPathList] = Field(default_factory=dict, max_length=200)
    """Fields of the means by the figure that they are of; by its own name where none is given."""
    tolerance: float = Field(default=1e-6, ge=0, allow_inf_nan=False)
    """Means of rounded figures differ from written ones by less."""

    @model_validator(mode="after")
    def _beside(self) -> MeansFields:
        # what is put into the name could lead out of the folder as well as the name itself
        names = (self.file, *(self.replace or ()))
        if any("/" in name or "\\" in name for name in names):
            raise ValueError("the file of means lies beside the log: write its name alone")
        return self


class JoinedFile(Record):
    """A second file that holds what the first one only names by id."""

    files: Glob
    format: Format = "json"
    episodes: FieldPath = "[*]"
    episode: EpisodeFields


class Mapping(Record):
    """What is what in a file or folder of a log that no reader of NavViz knows."""

    version: Literal[1] = 1
    name: str = Field(min_length=1, max_length=100)
    source: str = Field(default="", max_length=500)
    """Whose files they are, and from what their form is known."""
    files: Glob = "*"
    """Names of the files of a folder that belong to it."""
    format: Format = "json"
    episodes: FieldPath = ""
    """What is an episode; empty where each file is one."""
    group_by: FieldPaths = ()
    """Fields that rows of one episode share; the rows are then ``rows[*]`` of the episode.

    ``{file}`` where each file holds the rows of one episode.
    """
    numbered_columns: bool = False
    """Columns ``x_0``, ``x_1`` ... of a table are one list ``x``."""
    needs: tuple[FieldPath, ...] = ()
    """Fields of an episode by which files are known to be of this form."""
    needs_two_of: tuple[FieldPath, ...] = ()
    """Fields of which an entry has two at least: evaluators write different ones."""
    order: int = Field(default=90, ge=1, le=1000)
    """When a mapping that comes with NavViz is tried, among the readers of code."""
    smallest: str = Field(default="", max_length=300)
    """The smallest file that opens; stands in refusals."""
    parts: Annotated[tuple[PartName, ...], BeforeValidator(_as_list), Field(max_length=8)] = ()
    """Names of the files of one evaluation: ``{stem}_r{part}_w{count}.json``, from 0."""
    find_episodes: Literal["", "wanted", "required"] = ""
    """Whether entries name episodes of an episode file, which is looked for nearby."""
    skip_without: tuple[FieldPath, ...] = ()
    """Entries without these are no episodes: lines of means."""
    duplicates: Literal["last", "first"] = "last"
    dataset: str = Field(default="", max_length=100)
    success_radius_m: float = Field(default=3.0, gt=0, allow_inf_nan=False)
    episode: EpisodeFields = EpisodeFields()
    walk: WalkFields = WalkFields()
    figures: dict[str, FigureField] = Field(default_factory=dict, max_length=200)
    all_figures: bool = False
    """Every number of an entry is a figure, by its own name."""
    not_figures: tuple[str, ...] = ()
    """But these, which name something."""
    means: MeansFields = MeansFields()
    printed: PrintedFields | None = None
    """The heads of a printed log."""
    join: JoinedFile | None = None

    @model_validator(mode="after")
    def _whole(self) -> Mapping:
        # pixels without a scale would give lengths that look like metres
        if self.walk.frame == "pixels" and self.walk.metres_per_pixel is None:
            raise ValueError("the frame pixels needs metres_per_pixel")
        if self.walk.picture and self.walk.frame != "pixels":
            raise ValueError("a picture lies beneath a walk of the frame pixels alone")
        if self.walk.nodes and self.walk.positions:
            raise ValueError("a walk has nodes or positions, not both")
        if (self.format == "printed") != (self.printed is not None):
            raise ValueError("the format printed needs the table [printed], and no other has it")
        return self

    @property
    def in_degrees(self) -> bool:
        """Whether its positions are latitudes and longitudes."""
        return self.walk.frame in {"latlon", "lonlat"}

    @property
    def has_results(self) -> bool:
        """Whether it says where an agent went or how well it did."""
        return self.has_walks or self.has_figures

    @property
    def has_walks(self) -> bool:
        """Whether it says where an agent went."""
        walk = self.walk
        reckoned = walk.forwards or (walk.actions and (walk.moved_m or walk.turned_deg))
        return bool(walk.nodes or walk.positions or reckoned)

    @property
    def has_figures(self) -> bool:
        """Whether it says how well an agent did."""
        return self.all_figures or bool(self.figures)


def mapping_of(fields: Pairs[str, Any], file: str) -> Mapping:
    """Return the mapping that a table of fields describes; raises `InputError` where it is none."""
    try:
        return Mapping.model_validate(fields)
    except ValidationError as error:
        # one sentence: the first fault is most often the cause of the others
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"])
        what = str(fault["msg"]).removeprefix("Value error, ")
        raise InputError(what, "see docs/mapping.md", file=file, field=name) from error


def read_mapping(path: Path) -> Mapping:
    """Read a mapping from TOML; raises `InputError` where it is none."""
    try:
        fields = tomllib.loads(read_text(path, MAPPING_BYTES))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"is no TOML ({error})", "see docs/mapping.md", file=path.name) from error
    return mapping_of(fields, path.name)


def sidecar_of(path: Path) -> Path:
    """Return where the mapping of a file or folder lies."""
    return path.with_name(path.name + SIDECAR)


def saved_mapping(path: Path) -> Mapping | None:
    """Return the mapping beside a file or folder; raises `InputError` where it is damaged."""
    if not path.name:
        return None
    sidecar = sidecar_of(path)
    return read_mapping(sidecar) if is_regular(sidecar) else None


def save_mapping(mapping: Mapping, path: Path) -> Path:
    """Write a mapping beside its file or folder; returns where."""
    sidecar = sidecar_of(path)
    write_whole(sidecar, as_toml(mapping))
    return sidecar


def as_toml(mapping: Mapping) -> str:
    """Return a mapping as TOML, without what has its usual value."""
    fields = mapping.model_dump(mode="json", exclude_defaults=True)
    for name, figure in fields.get("figures", {}).items():
        # as people write it: a figure without a unit is its path alone
        if set(figure) == {"path"}:
            fields["figures"][name] = figure["path"]
    lines = ["version = 1"]
    _add_table(fields | {"version": None}, "", lines)
    return "\n".join(lines) + "\n"


def _add_table(fields: Pairs[str, Any], above: str, lines: list[str]) -> None:
    for name, value in fields.items():
        if value is not None and not isinstance(value, dict):
            lines.append(f"{_key(name)} = {_toml(value)}")
    for name, value in fields.items():
        if isinstance(value, dict):
            table = above + _key(name)
            lines += ["", f"[{table}]"]
            _add_table(value, f"{table}.", lines)


def _toml(value: object) -> str:
    # JSON's texts and lists are TOML's, but for one control character that JSON leaves bare
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    # TOML takes other letters only in quotes
    bare = name.replace("_", "").replace("-", "")
    return name if bare.isascii() and bare.isalnum() else _toml(name)
