"""GROKE's published files: states, step logs, ratings' views."""
