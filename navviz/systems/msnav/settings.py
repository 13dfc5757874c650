"""Settings of MSNav: the three modules are switches, so that the ablations of its Table 5 are
single settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from navviz.errors import ModelError, SettingsError
from navviz.llm.served import ask_served
from navviz.systems.base import PromptedSettings, PromptKind, ServerAddress, ServerPath
from navviz.systems.msnav.place_map.memory import PAPER, PARSER, SCRIPT, PruningRules
from navviz.systems.msnav.prompt import DECIDE_PROMPT
from navviz.systems.spatial import SpatialReading, spatial_of

Views = Literal["auto", "pictures", "captions", "sectors", "objects", "geometry", "http"]

TEXT_VARIANT: Literal["text variant, no pictures"] = "text variant, no pictures"

MAPGPT: Mapping[str, object] = {"pruning": False, "spatial": "off", "view_selection": False}
"""What the preset ``mapgpt`` sets: MSNav without its three modules."""

PRESETS: Mapping[str, Mapping[str, object]] = {
    "msnav": {},
    "mapgpt": MAPGPT,
    "mapgpt+spatial": {name: value for name, value in MAPGPT.items() if name != "spatial"},
}
"""What each preset sets; ``mapgpt+spatial`` is MapGPT with the spatial module (Table 5)."""

MAPGPT_PICTURES = 20
"""Most pictures of a prompt of MapGPT, whose published code stops where it knows more places."""

_NUMBERS: Mapping[str, PruningRules] = {"paper": PAPER, "script": SCRIPT, "parser": PARSER}


class MsnavSettings(PromptedSettings):
    """Settings of MSNav; the defaults are the paper's numbers and the published script's limits."""

    prompt_kind: ClassVar[PromptKind] = DECIDE_PROMPT

    variant: Literal["text variant, no pictures", "pictures"] = Field(
        TEXT_VARIANT,
        description="What this agent is, which follows from views: the paper's reads pictures.",
    )
    preset: Literal["msnav", "mapgpt", "mapgpt+spatial"] = Field(
        "msnav",
        description=(
            "mapgpt switches pruning, spatial and view_selection off, whatever they say;"
            " mapgpt+spatial leaves spatial as it is set."
        ),
    )
    views: Views = Field(
        "auto",
        description=(
            "What the model sees of a place: pictures, as in the paper, or what stands for them:"
            " LangNav's captions, NavGPT's sectors, REVERIE's true objects, or geometry alone;"
            " auto takes the first of these texts that is there. http asks a server that you run."
        ),
    )
    view_files: ServerPath = Field(
        "",
        description=(
            "Folder with the pictures, captions or objects; empty looks beside the connectivity"
            " graphs."
        ),
    )
    view_url: ServerAddress = Field(
        "", description="For views = http: the address that describes a view."
    )
    spatial: Literal["model", "file", "http", "off"] = Field(
        "model",
        description=(
            "Who names the instruction's objects and the destination's layout: the model, a file, a"
            " server that you run (Qwen-Sp), nobody."
        ),
    )
    spatial_file: ServerPath = Field(
        "", description="File of extended instructions (*_sr.json), for spatial = file."
    )
    spatial_url: ServerAddress = Field(
        "", description="For spatial = http: the address that reads an instruction."
    )
    view_selection: bool = Field(
        default=True, description="MSNav's choice of the view that shows a place, not MapGPT's."
    )
    pruning: bool = Field(default=True, description="Take old places off the map.")
    numbers: Literal["own", "paper", "script", "parser"] = Field(
        "own",
        description=(
            "The pruning's numbers: those below (own), the paper's, the published script's or"
            " parser's."
        ),
    )
    start_step: int = Field(
        PAPER.start_step,
        ge=0,
        description="Time step from which places may be taken off (t_start).",
    )
    keep_recent: int = Field(
        PAPER.keep_recent, ge=0, description="Steps for which a place is recent (theta_recent)."
    )
    keep_young: int = Field(
        PAPER.keep_young, ge=0, description="Steps for which a place is too young (theta_age)."
    )
    remove: int = Field(
        PAPER.remove, ge=0, description="Most places taken off in one step (N_remove)."
    )
    time_weight: float = Field(PAPER.time_weight, description="Weight of a place's age (lambda_t).")
    degree_weight: float = Field(
        PAPER.degree_weight, description="Weight of its number of ways (lambda_d)."
    )
    frontier_weight: float = Field(
        PAPER.frontier_weight, description="Weight of its unvisited ways (lambda_f)."
    )
    distance_weight: float = Field(
        PAPER.distance_weight, description="Weight of the hops to it (lambda_dist)."
    )
    distance_term: bool = Field(
        default=True,
        description="Whether the hops count; the published run script leaves this off.",
    )
    stop_after: int = Field(
        3, ge=0, description="Stopping is offered from this time step on (counted from 0)."
    )
    temperature: float | None = Field(
        0.0,
        ge=0,
        le=2,
        description="Of the model, unless it has a temperature of its own (the code's is 0).",
    )
    reply_limit: int = Field(
        1000,
        ge=0,
        description=(
            "Longest reply in tokens, unless the model has a limit of its own (the code's is"
            " 1,000); thoughts count, so that a model that thinks may need more. 0 is no limit."
        ),
    )
    step_limit: int = Field(22, ge=1, le=200, description="The walk ends after this many steps.")
    image_limit: int = Field(
        35,
        ge=0,
        description=(
            "It stops without asking when it knows more places (pictures) than this; 0 is no limit."
        ),
    )

    @model_validator(mode="before")
    @classmethod
    def _apply_presets(cls, values: Any) -> Any:  # noqa: ANN401
        """Write out a preset and a named set of numbers, so that a trace's header has them all."""
        if not isinstance(values, Mapping):
            return values
        settings = dict(values)
        pictured = settings.get("views") == "pictures"
        settings["variant"] = "pictures" if pictured else TEXT_VARIANT
        preset = str(settings.get("preset"))
        if pictured and preset.startswith("mapgpt"):
            # a default of the preset: a limit that a user wrote stays
            settings.setdefault("image_limit", MAPGPT_PICTURES)
        settings.update(PRESETS.get(preset, {}))
        named = _NUMBERS.get(str(settings.get("numbers")))
        return settings if named is None else settings | asdict(named)

    def reply_tokens(self, most: int | None = None) -> int | None:
        """Longest reply in tokens, at most `most`; ``None`` where there is no limit."""
        if not self.reply_limit:
            return None
        return self.reply_limit if most is None else min(most, self.reply_limit)

    @property
    def rules(self) -> PruningRules | None:
        """The pruning, ``None`` where it is off."""
        if not self.pruning:
            return None
        return PruningRules(**{name: getattr(self, name) for name in asdict(PAPER)})


@dataclass(frozen=True)
class ServedSpatial:
    """Reads instructions by a server; see `navviz.systems.spatial.Spatial`."""

    url: str

    def read(self, instruction: str) -> SpatialReading:
        """Ask the server; raises `ModelError` where it gives no reading."""
        _require(self.url, "spatial")
        reply = ask_served(self.url, {"instruction": instruction}, "spatial reader")
        reading = spatial_of(reply, f"served at {self.url}")
        if not reading.names and not reading.layout:
            raise ModelError(
                f"The spatial reader at {self.url} named no object and no layout; look at its log."
            )
        return reading


@dataclass(frozen=True)
class ServedViews:
    """Tells views by a server, each once; see `navviz.observations.view_text.ViewText`."""

    url: str
    scan: str
    texts: dict[tuple[str, int], str] = field(default_factory=dict)

    def of(self, viewpoint: str, view: int) -> str | None:
        """Ask the server; raises `ModelError` where it gives no text."""
        _require(self.url, "view")
        key = (viewpoint, view)
        if key not in self.texts:
            reply = ask_served(
                self.url, {"scan": self.scan, "viewpoint": viewpoint, "view": view}, "view teller"
            )
            text = reply.get("text")
            if not isinstance(text, str):
                raise ModelError(
                    f"The view teller at {self.url} answered without a text; look at its log."
                )
            self.texts[key] = " ".join(text.split())
        # an empty text says nothing, and the caller falls back on geometry
        return self.texts[key] or None


def _require(url: str, name: str) -> None:
    if not url:
        # the settings are called views and view_url
        setting = "views" if name == "view" else name
        raise SettingsError(
            f"{setting} = http needs the setting {name}_url: the address that your server"
            " answers at."
        )
