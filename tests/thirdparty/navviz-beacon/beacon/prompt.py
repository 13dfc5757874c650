"""What the model is shown, letter by letter."""

from beacon.panels import sights

PROMPT = """You walk on a map from landmark to landmark. Instruction: {instruction}
Around you: {around}.
{ways}
Reply with JSON: {{"go": "one of the ways, or stop"}}"""


def prompt_text(instruction, node, ways, graph):
    lines = [f"Way {way} leads to: {', '.join(sights(graph, way)) or 'nothing'}." for way in ways]
    around = ", ".join(sights(graph, node)) or "nothing"
    return PROMPT.format(instruction=instruction, around=around, ways="\n".join(lines))
