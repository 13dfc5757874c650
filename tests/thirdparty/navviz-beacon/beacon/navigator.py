"""Walk by asking a language model for each step."""

from beacon.panels import ways_panel
from beacon.prompt import prompt_text
from navviz.llm.base import Request
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Message,
    MoveEvent,
    PanelEvent,
    StepEvent,
)
from navviz.systems.asking import ask, end_status, needed
from navviz.systems.base import EVERYWHERE, Settings


class WalkerSettings(Settings):
    steps: int = 20


class Walker:
    name = "beacon"
    summary = "Asks a model for each step; sees the ways and their landmarks."
    needs_model = True
    frames = EVERYWHERE
    settings_type = WalkerSettings

    def navigate(self, episode, graph, llm, settings, past=None):
        model = needed(llm, self.name)
        node = past.path[-1] if past else episode.start
        first = len(past.steps) + 1 if past else 1
        for index in range(first, settings.steps + 1):
            ways = graph.neighbours(node)
            prompt = prompt_text(episode.instruction, node, ways, graph)
            yield StepEvent(index=index, node=node)
            request = Request((Message(role="user", text=prompt),), schema={"type": "object"})
            call = yield from ask(model, request)
            if call.error is not None:
                yield EndEvent(status=end_status(call), reason=call.error, node=node)
                return
            target = (call.parsed or {}).get("go")
            yield PanelEvent(panel=ways_panel(graph, node))
            stop, legal = target == "stop", target in ways or target == "stop"
            yield DecisionEvent(decision=Decision(target=target, stop=stop, legal=legal))
            if stop:
                break
            if legal:
                yield MoveEvent(path=(node, target))
                node = target
        yield EndEvent(status="done", node=node)
