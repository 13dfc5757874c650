"""Reading instructions: skills, temporal words, tags, mentions, order."""
