"""Settings of SkillNav: which part is done by a model, by rules, by somebody else."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, field_validator

from navviz.systems.base import PromptedSettings, PromptKind, ServerAddress, ServerPath
from navviz.systems.skillnav.prompts import ACT_PROMPT

Agents = Literal["llm (stand-in)", "rules (stand-in)", "imported", "http"]
Router = Literal[
    "top1",
    "confidences",
    "rules",
    "random",
    "fixed:Direction Adjustment",
    "fixed:Vertical Movement",
    "fixed:Stop and Pause",
    "fixed:Landmark Detection",
    "fixed:Area and Region Identification",
]


class SkillNavSettings(PromptedSettings):
    """Settings of the navigator ``skillnav``."""

    prompt_kind: ClassVar[PromptKind] = ACT_PROMPT

    reorder: Literal["model", "rules", "off"] = Field(
        "model",
        description=(
            "Who puts the instruction into the order of doing; off walks the original text."
        ),
    )
    localiser: Literal["model", "rules"] = Field(
        "model", description="Who finds the part that is due."
    )
    router: Router = Field(
        "top1",
        description=(
            "Who chooses the skill: a model that names one or gives percentages, cue words, chance"
            " (a row of the paper's ablation), or always one."
        ),
    )
    agents: Agents = Field(
        "llm (stand-in)",
        description=(
            "Who scores the moves. The paper's DUET agents cannot run here: llm and rules stand in"
            " for them, imported repeats a predictions file, http asks a server that you run."
        ),
    )
    router_sees: Literal["reordered", "original"] = Field(
        "reordered",
        description="The router's whole instruction: reordered in the code, original in the paper.",
    )
    votes: int = Field(
        1,
        ge=1,
        le=9,
        description="Replies of the router that are counted; the code counts 5 beams.",
    )
    action_space: Literal["global", "local"] = Field(
        "global",
        description=(
            "Global: every place seen and not visited may be chosen; local: the neighbours."
        ),
    )
    step_limit: int = Field(15, ge=1, le=200, description="The walk ends after this many actions.")
    views: int = Field(
        20, ge=1, le=200, description="The localiser reads the last so many viewpoints."
    )
    localiser_views: Literal["text", "pictures"] = Field(
        "text",
        description=(
            "What the localiser sees of the viewpoints passed: NavGPT's sentences, or pictures in"
            " the direction of the walk, as the published one does (indoors)."
        ),
    )
    picture_files: ServerPath = Field(
        "",
        description=(
            "Folder with the pictures (36 views, skyboxes or panoramas); empty looks beside the"
            " connectivity graphs."
        ),
    )
    walk_back: bool = Field(
        default=True,
        description="At the end go back to the visited place with the highest stop probability.",
    )
    index_bug: bool = Field(
        default=False,
        description=(
            "As the code runs: Direction Adjustment is not found, and Vertical Movement acts."
        ),
    )
    seed: int = Field(0, description="For router=random: the same seed gives the same skills.")
    predictions: ServerPath = Field(
        "", description="For agents=imported: a detail_*.json or submit_*.json."
    )
    url: ServerAddress = Field(
        "", description="For agents=http: the address that your server answers at."
    )

    @field_validator("agents", mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        """Take ``llm`` and ``rules`` for what they are."""
        return f"{value} (stand-in)" if value in {"llm", "rules"} else value

    @property
    def asks_model(self) -> bool:
        """Whether any part asks a language model."""
        if "model" in {self.reorder, self.localiser} or self.router in {"top1", "confidences"}:
            return True
        return self.agents.startswith("llm")


class SkillNavRulesSettings(SkillNavSettings):
    """Settings of ``skillnav-rules``: the same, with rules in all four places."""

    reorder: Literal["model", "rules", "off"] = Field(
        "rules",
        description=(
            "Who puts the instruction into the order of doing; off walks the original text."
        ),
    )
    localiser: Literal["model", "rules"] = Field(
        "rules", description="Who finds the part that is due."
    )
    router: Router = Field(
        "rules", description="Who chooses the skill: cue words, chance, or always one."
    )
    agents: Agents = Field(
        "rules (stand-in)",
        description="Who scores the moves; the paper's DUET agents cannot run here.",
    )
