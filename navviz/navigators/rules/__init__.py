"""The navigators that need no model: `rules` and `rules-local`."""

from navviz.navigators.rules.grammar.grammar import Reading, read_instruction
from navviz.navigators.rules.local_navigator import RulesLocal, RulesLocalSettings
from navviz.navigators.rules.navigator import Rules, RulesSettings, navigability

__all__ = ["Reading", "Rules", "RulesLocal", "RulesLocalSettings", "RulesSettings", "navigability", "read_instruction"]
