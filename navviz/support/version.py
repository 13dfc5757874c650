"""The version of NavViz, for traces, caches and exports."""

VERSION = "0.1.0"
