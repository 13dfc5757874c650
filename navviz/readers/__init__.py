"""One file a foreign format: translate once, at the edge."""
