"""The Study page: agreement, relations, studies, access."""
