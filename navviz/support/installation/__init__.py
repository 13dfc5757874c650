"""What this installation of NavViz has: the files it ships, optional packages, plug-ins of other packages."""
