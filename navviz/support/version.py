"""Name and version of NavViz as a distribution, for traces, caches, exports and hints."""

DISTRIBUTION = "navviz-vln"
"""On the package index; ``navviz`` there belongs to another project."""
VERSION = "0.1.0"
__version__ = VERSION
