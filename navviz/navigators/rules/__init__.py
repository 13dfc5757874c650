"""The navigators that need no model: `rules` and `rules-local`."""

from navviz.navigators.rules.grammar import Reading, read_instruction
from navviz.navigators.rules.navigator import Rules, RulesSettings, navigability

__all__ = ["Reading", "Rules", "RulesSettings", "navigability", "read_instruction"]
