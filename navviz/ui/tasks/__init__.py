"""The parts of the Tasks page."""
