"""The player's document: small, whole, and whatever the trace lacks."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.metrics.divergence import find_divergence
from navviz.records import Call, EndEvent, Message, Observation, Step, Trace
from navviz.views.player import cut as cut_module
from navviz.views.player import writer as writer_module
from navviz.views.player.cut import cut_graph, rounded
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_json, document_page, replay_frame
from navviz.views.player.pois import backdrop
from navviz.views.player.schema import Area, PackedStrings
from navviz.views.player.writer import Strings, WalkTexts, split_text, unpacked
from tests.replays import HOSTILE, full_trace, tiny_episode, tiny_graph, waypoints_trace
from tests.worlds import ROUTE


def ids(document: dict[str, Any], nodes: list[Any]) -> list[Any]:
    return [document["nodes"]["ids"][node] if isinstance(node, int) else node for node in nodes]


def test_paths_are_those_of_the_trace():
    document = replay_document(full_trace(), tiny_graph())
    assert ids(document, document["reference"]) == ROUTE
    assert [ids(document, step["path"]) for step in document["steps"]] == [
        ["s1", "s0", "x"],
        ["x", "w0"],
        [],
        ["w0", "x", "e0"],
    ]
    assert document["frame"] == "geo"
    assert not document["running"]


def test_positions_are_rounded_to_a_decimetre():
    document, graph = replay_document(full_trace(), tiny_graph()), tiny_graph()
    at, first = document["nodes"]["at"], document["nodes"]["ids"][0]
    assert at[:2] == pytest.approx(graph.position(first), abs=1e-6)
    assert all(round(value, 6) == value for value in at)


def test_a_node_that_is_not_in_the_graph_keeps_its_id_and_a_hole_is_none():
    document = replay_document(waypoints_trace(), tiny_graph())
    nodes = [step.get("node") for step in document["steps"]]
    assert ids(document, nodes) == ["s1", "x", None, "e0", "elsewhere"]
    assert ids(document, document["steps"][0]["path"]) == ["s1", "s0", "x"], (
        "waypoints are joined over the links"
    )


def test_tokens_seconds_and_cost_add_up_and_missing_stays_missing():
    document = replay_document(full_trace(), tiny_graph())
    spent = [step["so_far"] for step in document["steps"]]
    assert [s.get("tokens") for s in spent] == [125, 250, 250, 375]
    assert spent[-1]["seconds"] == pytest.approx(9.5)
    assert spent[-1]["cost_usd"] == pytest.approx(0.004)
    assert spent[-1]["partial"], "the planning call told no tokens"
    bare = replay_document(waypoints_trace(), tiny_graph())
    assert "tokens" not in bare["steps"][-1]["so_far"]
    assert "cost_usd" not in bare["steps"][-1]["so_far"]


def test_a_shown_poi_is_found_by_its_name_and_else_stands_at_its_node():
    document = replay_document(full_trace(), tiny_graph())
    cafe, light = document["steps"][0]["observation"]["pois"]
    assert document["pois"][cafe["poi"]]["id"] == "cafe"
    assert "approximate" not in cafe
    assert light["at"]


def test_divergence_and_metrics_are_told():
    trace, graph = full_trace(), tiny_graph()
    document = replay_document(
        trace,
        graph,
        divergence=find_divergence(trace, graph),
        metrics={"NE": 30.0, "SPL": None, "X": float("nan")},
    )
    assert document["divergence"]["step"] == 2
    assert document["metrics"] == {"NE": 30.0, "SPL": None, "X": None}


@pytest.mark.parametrize(("kept", "first"), [(4, None), (2, 3)])
def test_the_first_difference_of_two_runs(kept, first):
    trace = full_trace()
    other = trace.model_copy(update={"steps": trace.steps[:kept]})
    assert (
        replay_document(trace, tiny_graph(), compare=other)["compare"].get("first_difference")
        == first
    )


def test_another_decision_is_a_difference():
    trace = full_trace()
    changed = trace.steps[1].model_copy(update={"path": ("x", "e0")})
    other = trace.model_copy(update={"steps": (trace.steps[0], changed, *trace.steps[2:])})
    assert replay_document(trace, tiny_graph(), compare=other)["compare"]["first_difference"] == 2


def test_further_runs_bring_their_ways_names_and_colours():
    trace = full_trace()
    third = trace.model_copy(update={"steps": trace.steps[:2]})
    document = replay_document(
        trace,
        tiny_graph(),
        compare=trace,
        further=[("<b>third</b>", "#0a8f6c", third), ("fourth", "#b98300", trace)],
    )
    first, second = document["further"]
    assert (first["label"], first["colour"], len(first["steps"]), len(second["steps"])) == (
        "<b>third</b>", "#0a8f6c", 2, 4
    )  # fmt: skip
    assert first["steps"] == document["compare"]["steps"][:2]
    assert "further" not in replay_document(trace, tiny_graph(), compare=trace)


@pytest.mark.parametrize("running", [True, False])
def test_a_trace_with_nothing_in_it(running):
    trace = full_trace().model_copy(
        update={
            "steps": (),
            "sub_goals": (),
            "plan_calls": (),
            "landmarks": (),
            "end": None if running else EndEvent(status="error", reason="no key"),
        }
    )
    document = replay_document(trace, tiny_graph())
    assert document["steps"] == []
    assert document["running"] is running
    json.dumps(document, allow_nan=False)


def test_a_log_without_an_end_runs_or_was_cut_off():
    trace = full_trace(running=True)
    assert replay_document(trace, tiny_graph())["running"]
    cut_off = replay_document(trace, tiny_graph(), running=False)
    assert not cut_off["running"]
    assert "how the run ended" in cut_off["notes"][0]


def test_a_start_and_a_route_that_are_not_in_the_graph():
    episode = tiny_episode(start="gone", reference_path=("gone", "lost"), goal="lost")
    trace = full_trace()
    document = replay_document(
        trace.model_copy(update={"header": trace.header.model_copy(update={"episode": episode})}),
        tiny_graph(),
    )
    assert document["reference"] == ["gone", "lost"]
    assert document["episode"]["start"] == "gone"


def test_repeated_prompts_are_stored_once():
    long = "[RULES]\n" + "Always say please. " * 200
    steps = tuple(
        Step(
            index=k,
            node="x",
            calls=(Call(messages=(Message(role="user", text=f"{long}\n[NOW]\nstep {k}\n"),)),),
        )
        for k in range(1, 51)
    )
    trace = full_trace().model_copy(update={"steps": steps})
    assert len(json.dumps(replay_document(trace, tiny_graph()))) < 60_000


def test_texts_beyond_the_limit_are_packed_then_cut_and_say_so():
    strings = Strings()
    for k in range(200):
        strings.add("".join(chr(33 + (i * i * 7 + i * k + k * k) % 90) for i in range(20_000)))
    packed = strings.dump(200_000)
    assert isinstance(packed, PackedStrings)
    assert len(packed.gzip) <= 200_000


@functools.cache
def _long(k: int) -> str:
    # what hardly packs
    return hashlib.shake_256(bytes([k])).hexdigest(10_000)


def _all_texts(strings: Strings, limit_chars: int) -> list[str]:
    packed = strings.dump(limit_chars)
    assert isinstance(packed, PackedStrings)
    return [text for pack in (packed.gzip, *(packed.more or ())) for text in unpacked(pack)]


def test_texts_of_a_walk_that_goes_on_keep_their_numbers_and_are_packed_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed: list[str] = []
    pack = writer_module._packed
    monkeypatch.setattr(writer_module, "_packed", lambda texts: packed.extend(texts) or pack(texts))
    strings = Strings()
    for k in range(20):
        strings.add(_long(k))
    for k in range(20, 52):
        assert strings.add(_long(k)) == k
        assert _all_texts(strings, 10_000_000) == [_long(n) for n in range(k + 1)]
    # anew each time, it would be 1,200
    assert len(packed) < 52 * 6


def test_texts_of_a_walk_that_goes_on_are_cut_alike_beyond_the_limit():
    strings = Strings()
    for k in range(60):
        strings.add(_long(k))
        strings.add(f"short {k}")
        if k >= 20:
            texts = _all_texts(strings, 200_000)
            assert [text[:40] for text in texts[::2]] == [_long(n)[:40] for n in range(k + 1)]
            assert texts[1::2] == [f"short {n}" for n in range(k + 1)]
    assert all("more characters are in the trace" in text for text in texts[::2])
    assert len(strings.dump(200_000).model_dump_json(exclude_none=True)) < 201_000  # type: ignore[union-attr]


def test_documents_of_a_walk_that_goes_on_say_what_one_alone_says() -> None:
    whole, graph, texts = full_trace(), tiny_graph(), WalkTexts()
    for count in range(len(whole.steps) + 1):
        trace = whole.model_copy(update={"steps": whole.steps[:count], "end": None})
        alone = replay_document(trace, graph)
        grown = replay_document(trace, graph, strings=texts.of(trace))
        assert _said(grown) == _said(alone)
    assert len(_said(grown)) > 10
    other = whole.model_copy(update={"header": whole.header.model_copy()})
    assert replay_document(other, graph, strings=texts.of(other)) == replay_document(other, graph)


def _said(document: dict[str, Any]) -> list[Any]:
    """What stands in the texts of each step."""
    texts, said = document["strings"], []
    for step in document["steps"]:
        said += [texts[number] for number, *_ in step.get("plan", ())]
        for call in step["calls"]:
            said += [texts[call[name]] for name in ("thoughts", "reply") if name in call]
            for message in call["messages"]:
                said += [(kind, texts[number]) for kind, number in message["parts"]]
    return said


def test_the_document_stays_small_however_large_the_graph():
    side = 200
    import numpy as np

    from navviz.world.graph import Graph

    names = [f"{i:032x}" for i in range(side * side)]
    at = np.array([(54 + (i // side) * 9e-5, 10 + (i % side) * 15e-5) for i in range(side * side)])
    links = [
        (i, j)
        for i in range(side * side)
        for j in (i + 1, i + side)
        if j < side * side and (j == i + side or j % side)
    ]
    a, b = np.array(links, np.int32).T
    graph = Graph("grid", "geo", names, at, np.concatenate([a, b]), np.concatenate([b, a]))
    route = tuple(names[i * side + i] for i in range(side))  # a diagonal across the whole town
    episode = tiny_episode(start=route[0], reference_path=route, goal=route[-1])
    shown = Observation(format="json", text="x" * 20_000, visible_nodes=tuple(names[:60]))
    steps = tuple(
        Step(
            index=k + 1,
            node=route[k],
            path=route[k : k + 2],
            observation=shown,
            calls=(
                Call(
                    messages=(
                        Message(role="user", text=f"{k} " + " ".join(names[k * 40 : k * 40 + 600])),
                    )
                ),
            ),
        )
        for k in range(100)
    )
    trace = Trace(header=full_trace().header.model_copy(update={"episode": episode}), steps=steps)
    assert len(json.dumps(replay_document(trace, graph))) < 1_500_000


@given(st.text(alphabet=st.sampled_from('ab[]{}`#:\n\r "TASK0123,\u2028é'), max_size=300))
def test_the_parts_of_a_prompt_joined_are_the_prompt(text):
    assert "".join(part for _, part in split_text(text)) == text


def test_a_prompt_is_split_at_headings_fences_and_bare_json():
    value = json.dumps({"nodes": list(range(60))})
    prompt = f'Hello.\n[TASK ONE]\ndo it\n```json\n{{"a": 1}}\n```\n## Rules\n- be kind\nContext (JSON):\n{value}\n```\nplain\n```\n'
    assert [kind for kind, _ in split_text(prompt)] == [
        "text", "heading", "text", "fence", "json", "fence", "heading", "text", "heading", "json",
        "fence", "code", "fence",
    ]  # fmt: skip


def test_streets_are_kept_whole_when_simplified():
    cut = cut_graph(tiny_graph(), ROUTE)
    ends = {tuple(line[i : i + 2]) for line in cut.streets for i in (0, len(line) - 2)}
    by_id = dict(zip(cut.ids, map(tuple, cut.positions), strict=True))
    assert {by_id[node] for node in ("s1", "x", "n0", "w1", "e2")} <= ends
    assert len(cut.streets) == 4, "straight streets become one line each"


def test_walks_of_about_the_same_place_share_their_streets(monkeypatch):
    boxes, chains = list[int](), cut_module._chains
    monkeypatch.setattr(
        cut_module, "_chains", lambda links, keep: boxes.append(len(keep)) or chains(links, keep)
    )
    graph = tiny_graph()
    one, other = cut_graph(graph, ROUTE), cut_graph(graph, ROUTE[:-1])
    assert len(boxes) == 1
    assert one.streets == other.streets


def test_a_box_of_streets_holds_the_walk_wherever_it_lies():
    graph = tiny_graph()
    for node in graph.ids:
        ends = {
            tuple(line[k : k + 2])
            for line in cut_graph(graph, [node]).streets
            for k in (0, len(line) - 2)
        }
        assert tuple(rounded(graph.position("x"), "geo")) in ends
        assert (
            tuple(rounded(graph.position(node), "geo")) in ends
            or len(list(graph.neighbours(node))) == 2
        )


def test_a_backdrop_that_is_no_geojson_is_passed_over():
    cut = cut_graph(tiny_graph(), ROUTE)
    for broken in (
        None,
        [],
        {"features": [{}, 3, {"geometry": {"type": "Polygon", "coordinates": 7}}]},
        {"features": [{"geometry": None}]},
    ):
        assert backdrop(broken, cut) == []
    good = {
        "features": [
            {
                "geometry": {
                    "type": "Polygon",
                    "coordinates": [[[10.0, 54.0], [10.1, 54.0], [10.1, 54.1]]],
                },
                "properties": {"kind": "water"},
            }
        ]
    }
    assert backdrop(good, cut) == [Area(kind="water", rings=[[54.0, 10.0, 54.0, 10.1, 54.1, 10.1]])]


@pytest.mark.parametrize("text", HOSTILE)
def test_json_in_a_script_element_cannot_end_it(text):
    made = document_json({"text": text})
    assert "<" not in made
    assert "\u2028" not in made
    assert json.loads(made) == {"text": text}


def test_the_page_fetches_nothing_and_holds_everything():
    page = document_page(replay_document(full_trace(), tiny_graph()), title="A <b> & c")
    assert "<title>A &lt;b&gt; &amp; c</title>" in page
    assert not re.findall(r"<(?:script|link|img|iframe)[^>]*\\s(?:src|href)=", page)
    assert "url(images" not in page
    assert "sourceMappingURL" not in page
    frame = replay_frame(
        replay_document(full_trace(text=HOSTILE[2]), tiny_graph(), title='"><b>'), 500
    )
    assert frame.count("<") == 2, "the page stands escaped in one attribute"


@pytest.mark.parametrize(("source", "navigator", "expected"), [
    ("states.json", "groke", "This file holds no prompts; open the step logs beside it to read them."),
    ("submit.json", "vln-duet", "This file holds no prompts, thoughts or replies."),
    (None, "rules", None),
])  # fmt: skip
def test_a_foreign_file_without_prompts_says_so(source, navigator, expected):
    trace = full_trace()
    header = trace.header.model_copy(update={"source": source, "navigator": navigator})
    bare = tuple(step.model_copy(update={"calls": ()}) for step in trace.steps)
    silent = trace.model_copy(update={"header": header, "steps": bare})
    assert replay_document(silent, tiny_graph()).get("unlogged") == expected
    logged = trace.model_copy(update={"header": header})
    assert "unlogged" not in replay_document(logged, tiny_graph())


@pytest.mark.parametrize("source", ["/srv/secret/log.json", "C:\\secret\\log.json", "log.json"])
def test_a_document_names_a_log_without_its_folders(source):
    trace = full_trace()
    header = trace.header.model_copy(update={"source": source})
    document = replay_document(trace.model_copy(update={"header": header}), tiny_graph())
    assert document["source"] == "log.json"
    assert "secret" not in json.dumps(document)


def test_streets_are_those_of_a_graph_that_was_never_drawn(monkeypatch):
    # boxes that cut streets in two
    monkeypatch.setattr("navviz.views.player.cut.STREETS_PAST_M", (0.0,))
    graph = tiny_graph()
    for essential in itertools.permutations(graph.ids, 2):
        assert cut_graph(graph, essential).streets == cut_graph(tiny_graph(), essential).streets


@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        ({"NE": 4.0, "SPL": None, "SR": 1.0}, ["NE", "SPL"]),
        # a progress that cannot be measured is a dash, not another figure
        ({"GP": None, "NE": 4.0}, ["GP", "NE"]),
        ({"SR_reverie": 1.0, "NE": 4.0, "RGS": 0.0}, ["NE", "SR_reverie", "RGS"]),
        ({"NE_rec": 4.0, "NE_est": 3.0, "TL": 9.0, "TL_rec": 8.0, "GP": 1.0}, ["NE_rec", "TL"]),
        ({"NE_rec": None, "NE_est": 3.0, "TL_rec": 8.0}, ["TL_rec", "NE_est"]),
    ],
)
def test_each_kind_of_episode_has_its_own_figures_in_the_head(metrics, names):
    document = replay_document(full_trace(), tiny_graph(), metrics=metrics)
    assert [figure["name"] for figure in document["head"]] == names
    assert all(figure["help"] for figure in document["head"])
