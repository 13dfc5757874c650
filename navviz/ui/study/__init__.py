"""The Evaluate page: agreement, relations, studies, access."""
