"""A person who walks an episode in the app (*Follow it* in Annotate).

No menu lists it: a walk of a person is made on the page, event by event.
"""

from navviz.support.systems import System

__all__ = ["SYSTEM"]

SYSTEM = System(
    name="human",
    title="Human",
    paper="none: NavViz's own",
    order=80,
)
