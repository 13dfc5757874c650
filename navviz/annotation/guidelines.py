"""How to rate, with worked examples: what stands beside an item where the study has no text of its
own.

Light markdown: headings, lists, bold. It is shown as text, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from navviz.annotation.records import Queue, Task

_NAVIGABILITY = """## How to rate

Read the text once. Then follow it with your finger along the route on the map.

- **Yes**: somebody who has only this text would end within sight of the goal.
- **No**: at one place or more the text leads elsewhere, or leaves the way open.
- A spelling mistake or a needless sentence is no reason for No.

## Worked examples

1. “Turn right at the second light, stop at the bakery.” The route turns right at the second light
   and the bakery is on the map. **Yes, Certain.**
2. “Go past the park and turn.” The route turns left, and one could turn right just as well. **No,
   Sure.**
3. “Left at the bank.” There are two banks; the first is the right one. **Yes, Fair.** One would
   probably take it.
"""
_DIFFICULTY = """## How to rate

The scale goes from 1, the easiest text or way that you can think of, to 10, the hardest. Rate
each axis for itself.

- **Linguistic**: how long the sentences are, how they depend on each other, what is left out.
- **Topological**: turns, crossings that look alike, streets that bend.
- **Operational**: how many places and counts one has to keep in mind on the way.

## Worked examples

1. “Straight on to the church.” One street, one place: **2, 1, 1.**
2. “At the third light, not counting the one you start at, take the left of the two streets on the
   right”: **8, 6, 7.**
"""
_FOLLOW = """## How to walk

Walk as the text says, with only what you see. Do not look at another map.

- Say **Here** where you think that the text ends.
- **Give up** when you no longer know where you are in the text.

## Worked examples

1. The text says “second right”, you have passed one: go on to the next street on the right.
2. The café of the text is not in sight where you expect it: walk one more block, then decide.
"""
_FAILURE = """## How to label

Play the walk. Stop at the first step that goes wrong, and label it there; later steps that only
follow from it need no label.

- Give each cause one label, as fine as you are sure of.
- Where the text itself is at fault, label the whole episode.
- **Nothing failed** is an answer too.

## Worked examples

1. The text says left, the agent says “right” in its thoughts and turns right: an error of the
   agent, at that step.
2. The text says “the blue café”, and the agent is shown no colours: an error of the text, for the
   whole episode.
"""
_MENTIONS = """## How to mark

Mark the words that name one place, thing or kind of place one can see: with its name and kind,
without articles and directions.

- Link each to the place on the map that the text means; leave it open where you cannot tell.
- Streets, crossings and turns are no landmarks.

## Worked examples

1. “Turn right at the **Corner Bakery**”: two words, one mention.
2. “Pass two **bus stops**”: one mention, linked to the first of them.
3. “Walk to the end of the street”: no landmark.
"""
_SKILL = """## How to judge

Read the sub-instruction alone. Which one skill does it ask for first? Do not look at what the
router took.

## Worked examples

1. “Go up the stairs”: it asks for a change of floor.
2. “Stop beside the sofa”: it asks to stop at a place.
"""
_CAUSE = """## How to judge

Read the sentence and its quotes. Look at the step where the player stands, and at the steps around
it. Then say whether the sentence names the reason why the walk left its route or ended wrongly.

- **Yes**: the sentence is true, and without it the walk would have gone on rightly.
- **Partly**: it is true, but something else mattered more; or only a part of it is true.
- **No**: it is not true, or it is true and did not matter.
- **Cannot tell**: what is shown does not decide it.

Some sentences stand here to test us and do not hold. Check each against map and text.

## Worked examples

1. “The sub-goal *turn right at the bank* was closed two blocks before the bank.” The status line
   says COMPLETED, the bank lies ahead, and the agent then turns at the wrong street. **Yes.**
2. The same sentence, but the agent turns back at once and leaves the route elsewhere. **Partly.**
3. “The café of this turn was never in the prompt.” The prompt of this step names the café.
   **No.**
"""
_WRAPPED: Final = re.compile(r"(?<!\n)\n *(?=[^\s#\d-])")
"""Line ends within a paragraph or an item, which stand in the source for its width alone."""
DEFAULT_GUIDELINES: Final[Mapping[Task, str]] = {
    "navigability": _NAVIGABILITY,
    "difficulty": _DIFFICULTY,
    "follow": _FOLLOW,
    "failure": _FAILURE,
    "mentions": _MENTIONS,
    "skill": _SKILL,
    "cause": _CAUSE,
}


def guidelines_of(queue: Queue) -> str:
    """Return the study's own text for a queue, else the one that comes with NavViz."""
    return queue.guidelines.strip() or _WRAPPED.sub(" ", DEFAULT_GUIDELINES[queue.task])
