"""What SkillNav and its test sets write: router logs, details, reordered instructions, NavNuances
annotations.
"""
