"""SkillNav (Ma et al. 2025): reorder the instruction, find the part that is due, choose a skill, let its agent act."""
