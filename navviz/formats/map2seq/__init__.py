"""Map2Seq: the OpenStreetMap graph with its splits, and the panorama graph."""
