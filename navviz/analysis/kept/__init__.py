"""What goes wrong in a large run, worked out once by processes of its own and kept beside the run's
index.
"""
