"""What the player is given of a long-horizon walk."""

from navviz.formats import open_worlds
from navviz.records import (
    Decision,
    EndEvent,
    Episode,
    StageLog,
    Step,
    StepTask,
    Task,
    Trace,
    TraceHeader,
)
from navviz.runs.opened import open_run
from navviz.views.player.document import replay_document
from tests.paths import SAMPLES


def test_stages_curve_and_figures_written_out():
    run = open_run(SAMPLES / "house" / "runs" / "mgdm-scripted", graphs=SAMPLES / "house")
    document = replay_document(run.trace("LH-3"), run.graph("LH-3"))
    first, second = document["stages"]
    assert (first["state"], second["state"]) == ("reached", "missed")
    assert (first["first"], second["first"]) == (1, first["last"] + 1)
    assert second["last"] == len(document["steps"])
    assert document["steps"][first["last"] - 1]["to_target_m"] == 0.0
    assert document["episode"]["tasks"][0]["actions"] == ["Grab('night lamp')"]
    assert document["free"] is False
    panels = {
        panel["title"]: dict(panel["data"]["items"])
        for panel in document["steps"][-1]["panels"][-2:]
    }
    assert panels["Whole task"]["CSR"] == "[1·2 + 0·(1 + 1·1)] / 4 = 0.5000"
    assert panels["Whole task"]["ISR"] == "1 / 2 = 0.5000"
    assert panels["Whole task"]["CGT"] == "[0.52·1·2 + 0.48·0·(1 + 1·1)] / 2 = 0.5200"
    assert panels["Whole task"]["SPL"].endswith("= 0.0000")
    second = panels["Part 2: stopped too far: 3.2 m"]
    assert second["e (distance at the end)"] == "3.19 m"
    assert second["term of CSR"] == "0·(1 + 1·1) / 4 = 0.0000"
    term = second["term of TAR"].rpartition(" = ")[2]
    assert panels["Whole task"]["TAR"].startswith(f"(1.00 + {term}) / 2 = ")
    assert panels["Whole task"]["contest score"].startswith("0.4·")


def test_poses_and_logged_distances_are_named():
    graph = open_worlds(SAMPLES / "house")()
    here, there = graph.ids[0], graph.neighbours(graph.ids[0])[0]
    episode = Episode(
        id="e",
        dataset="d",
        instruction="Go.",
        world=graph.name,
        start=here,
        tasks=(Task(description="Move_to('x_1')", goals=(there,)),),
        step_tasks=(
            StepTask(
                first_step=1, last_step=5, instruction="Ahead.", segments=((1, 5, "move_forward"),)
            ),
        ),
    )
    steps = (
        Step(index=1, node=here, path=(here, there), decision=Decision(action="move_forward")),
        Step(index=2, node=there, decision=Decision(action="stop", stop=True)),
    )
    log = StageLog(success=True, error_m=0.4, begin_m=3.0, distances_m=(0.7, 0.4))
    trace = Trace(
        header=TraceHeader(
            episode=episode,
            navigator="easi",
            poses={"pose 0": (0.0, 0.0, 0.0)},
            pose_source="logged",
        ),
        steps=steps,
        end=EndEvent(status="done", stages=(log,)),
    )
    document = replay_document(trace, graph)
    assert document["notes"] == ["Poses are logged."]
    assert document["free"] is True
    assert [step["to_target_m"] for step in document["steps"]] == [0.7, 0.4]
    assert document["stages"][0]["oracle"] == 1
    assert document["episode"]["step_tasks"][0]["last"] == 2
    assert document["episode"]["step_tasks"][0]["segments"] == [[1, 2, "move_forward"]]
    assert document["steps"][0]["decision"]["action"] == "move_forward"
