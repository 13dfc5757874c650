"""VELMA's outputs, made by the form of its code."""
