"""The graph that agents walk: positions, headings, floors, search."""
