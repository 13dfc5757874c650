"""MGDM's inspector: memory with entropies, chain of thought, long-term hits, probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from navviz.records import Panel
from navviz.systems.lhvln.mgdm.long_term import Hit
from navviz.systems.lhvln.mgdm.memory import Forgetting, Slot


def memory_panel(slots: Sequence[Slot], size: int) -> Panel:
    """Short-term slots with age and confidence."""
    rows = [
        [k, slot.age, slot.text, round(slot.confidence, 3)] for k, slot in enumerate(slots, start=1)
    ]
    title = f"Memory: {len(slots)} of {size}"
    return Panel(
        kind="table",
        title=title,
        data={"columns": ["#", "age", "memory", "confidence"], "rows": rows},
    )


def forgetting_panels(forgetting: Forgetting) -> tuple[Panel, ...]:
    """Entropies of all indices with the winner marked, and what was blurred, before and after."""
    before = [
        ["before", slot.age, slot.text, round(slot.confidence, 3)] for slot in forgetting.blurred
    ]
    after = [
        ["after", slot.age, slot.text, round(slot.confidence, 3)] for slot in forgetting.results
    ]
    columns = ["", "age", "memory", "confidence"]
    blurred = Panel(
        kind="table", title=_title(forgetting), data={"columns": columns, "rows": before + after}
    )
    if not forgetting.entropies_bits:
        return (blurred,)
    items = []
    slots = zip(forgetting.entropies_bits, forgetting.before, strict=True)
    for k, (value, slot) in enumerate(slots):
        chosen, label = k == forgetting.index, f"index {k + 1}"
        item = {"label": label, "value": round(value, 4), "chosen": chosen, "note": slot.age}
        items.append(item)
    bars = Panel(kind="bars", title="Entropies (bits)", data={"items": items})
    return bars, blurred


def _title(forgetting: Forgetting) -> str:
    if not forgetting.entropies_bits:
        return "Forgotten: the oldest"
    return f"Blurred: index {forgetting.index + 1}"


def chain_panel(chain: str, former: str, step: int) -> Panel:
    """Return the current chain of thought; the one before it for the difference."""
    title = f"Chain of step {step}"
    return Panel(
        kind="text",
        title=title,
        data={"text": chain, "former": former} if former else {"text": chain},
    )


def long_term_panel(hits: Sequence[Hit], *, stored: int) -> Panel:
    """Return what an expert did in places that looked alike."""
    rows = []
    for hit in hits:
        example = hit.experience
        row = [round(hit.similarity, 3), example.action, example.episode, example.line]
        rows.append(row)
    title = f"Long-term: {len(hits)} of {stored}"
    columns = ["similarity", "action", "episode", "what it saw"]
    return Panel(kind="table", title=title, data={"columns": columns, "rows": rows})


def confidence_panel(
    probabilities: Mapping[int, float], labels: Mapping[int, str], chosen: int, source: str
) -> Panel:
    """Probabilities of the choices, the chosen one marked, with where they come from."""
    items = []
    for key, value in sorted(probabilities.items()):
        label = f"({key}) {labels.get(key, '')}".strip()
        item = {"label": label, "value": round(value, 3), "chosen": key == chosen}
        if key == chosen:
            item["note"] = source
        items.append(item)
    return Panel(kind="bars", title="Probabilities", data={"items": items})
