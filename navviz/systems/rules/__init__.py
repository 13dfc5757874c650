"""The navigators that need no model: `rules` and `rules-local`."""

from navviz.systems.rules.grammar.grammar import Reading, read_instruction
from navviz.systems.rules.local_navigator import RulesLocal, RulesLocalSettings
from navviz.systems.rules.navigator import Rules, RulesSettings, navigability

__all__ = ["Reading", "Rules", "RulesLocal", "RulesLocalSettings", "RulesSettings", "navigability", "read_instruction"]
