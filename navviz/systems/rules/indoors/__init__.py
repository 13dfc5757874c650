"""The rules in a house."""
