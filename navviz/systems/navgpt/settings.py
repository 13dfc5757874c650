"""Settings of NavGPT."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from navviz.errors import SettingsError
from navviz.observations.panorama import ObjectDetail
from navviz.records import Episode
from navviz.systems.base import PromptedSettings, PromptKind, ServerPath
from navviz.systems.navgpt.prompt import DECIDE_PROMPT
from navviz.systems.navgpt.views import PUBLISHED, Granularity


class NavGptSettings(PromptedSettings):
    """Settings of NavGPT; the defaults are those of its published code."""

    prompt_kind: ClassVar[PromptKind] = DECIDE_PROMPT

    step_limit: int = Field(
        10,
        ge=1,
        le=200,
        description="The walk ends after this many turns (the code's max_iterations).",
    )
    temperature: float | None = Field(
        0.0,
        ge=0,
        le=2,
        description="Of the model, unless it has a temperature of its own (the code's is 0).",
    )
    as_published: bool = Field(
        default=False,
        description=(
            "Show the text letter by letter as the published code does: ways between 337.5 and 345"
            " degrees are hidden, turns are not wrapped, ways stand in the order of the navigable"
            " files."
        ),
    )
    granularity: Granularity = Field(
        PUBLISHED,
        description=(
            "Field of view in degrees and number of views (Table 2). The published sentences are"
            " those of fov45-24; the others need pictures, or LangNav's captions to stand in."
        ),
    )
    caption_files: ServerPath = Field(
        "",
        description=(
            "Folder with LangNav's captions, for 12 or 36 views; empty looks beside the"
            " connectivity graphs."
        ),
    )
    objects: ObjectDetail = Field(
        "distances",
        description=(
            "What the text says of objects within 3 m (Table 3): nothing, names, or distances too."
        ),
    )
    planner: bool = Field(
        default=False, description="First let the model break the instruction into steps."
    )
    back_tracer: bool = Field(
        default=False,
        description=(
            "Give the model a second tool, which goes back to any viewpoint it has been to."
        ),
    )
    history: Literal["lines", "chain"] = Field(
        "lines",
        description=(
            "The history: a line a move, or an account that the model rewrites after each move."
        ),
    )
    summariser: Literal["files", "model"] = Field(
        "files",
        description=(
            "Who says what a viewpoint is, for the history: NavGPT's files or the model. Of 36"
            " views the model also makes one sentence of the captions of each heading."
        ),
    )
    history_characters: int = Field(
        7000,
        ge=500,
        description="The history in the prompt is cut to this many characters, the oldest first.",
    )
    views: Literal["text", "pictures"] = Field(
        "text",
        description=(
            "pictures shows the model a picture of each view of the granularity beside the text;"
            " the paper's agent reads the text alone."
        ),
    )
    picture_files: ServerPath = Field(
        "",
        description=(
            "Folder with the pictures (36 views, skyboxes or panoramas); empty looks beside the"
            " connectivity graphs."
        ),
    )
    observations: ServerPath = Field(
        "",
        description=(
            "Folder with NavGPT's observation files; empty takes those beside the connectivity"
            " graphs."
        ),
    )
    spatial: Literal["off", "model", "file"] = Field(
        "off",
        description=(
            "Who guesses what the destination looks like, for the prompt (+Spatial of MSNav's Table"
            " 5): nobody, the model, a file."
        ),
    )
    spatial_file: ServerPath = Field(
        "", description="File of extended instructions (*_sr.json), for spatial = file."
    )
    write_instruction: bool = Field(
        default=False,
        description="At the end let the model write an instruction for the path it walked.",
    )
    draw_map: bool = Field(
        default=False,
        description=(
            "At the end let the model draw the walked path from text alone, beside the true one."
        ),
    )

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Name what stands in for the paper's captions."""
        resolved = super().resolved(episode)
        if self.granularity != PUBLISHED and self.views == "text":
            resolved["views_from"] = "LangNav's captions, 60 degrees high and 75 wide"
        return resolved

    @model_validator(mode="after")
    def _check_granularity(self) -> Self:
        """Refuse views that the published text does not have."""
        if self.as_published and self.granularity != PUBLISHED:
            raise SettingsError(
                f"as_published is the text of granularity {PUBLISHED}: leave out one of the two."
            )
        return self
