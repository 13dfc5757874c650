"""One file for what a system adds to a page."""
