"""One folder a system: its files, prompts, loop, metrics and panels."""
