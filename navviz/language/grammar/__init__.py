"""Read an instruction: tokens, grammar, plan."""
