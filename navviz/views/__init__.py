"""Pure functions from data to maps, figures and HTML."""
