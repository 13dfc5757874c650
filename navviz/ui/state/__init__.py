"""What a visitor has selected: session, state, links, and the shell of every page."""
