"""The Annotate page, a module a task."""
