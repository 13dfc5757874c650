"""``navviz run --edit`` and ``--set prompt=@FILE``: stored with the run, and compared with it."""

import json
from pathlib import Path

import pytest

from navviz.records.trace_files import read_trace
from navviz.runner import read_config
from tests.cli.test_run import brain, last_line, walk
from tests.cli.test_run import world as world_fixture
from tests.command import invoke
from tests.fake_servers import FakeOpenAI

world = world_fixture


@pytest.fixture
def texts(world):
    """Twelve episodes, of which five speak of the left."""
    split = world / "splits" / "tiny.json"
    entries = json.loads(split.read_text())
    for number, entry in enumerate(entries):
        side = "left" if number < 5 else "right"
        entry["instructions"] = f"Walk to the light and turn {side}."
    split.write_text(json.dumps(entries))
    return world


def test_an_edit_is_stored_and_its_run_compared_with_the_baseline(texts):
    plain = last_line(walk(texts, "--navigator", "rules", "--format", "json"))
    result = walk(
        texts, "--navigator", "rules", "--edit", "replace:left=>right", "--edit", "append:Stop."
    )
    assert result.exit_code == 0, result.output
    edited = last_line(
        walk(texts, "--navigator", "rules", "--edit", "replace:left=>right", "--format", "json")
    )
    assert edited["episodes"] == 5
    folder = Path(edited["traces"])
    assert folder != Path(plain["traces"])
    config = read_config(folder)
    assert config is not None
    assert config.edits == ("replace:left=>right",)
    walked = {read_trace(path).episode.instruction for path in folder.glob("*.trace.jsonl")}
    assert walked == {"Walk to the light and turn right."}
    given = [plain["traces"], edited["traces"], "--graphs", str(texts / "osm" / "graph")]
    table = invoke("compare", *given, "--metrics", "SR", "--format", "json")
    assert table.exit_code == 0, table.output
    document = json.loads(table.stdout.splitlines()[-1])
    assert document["episodes"] == 5
    assert document["differences"][0]["test"] == "McNemar, exact"


def test_what_an_edit_leaves_is_counted(texts):
    result = walk(texts, "--navigator", "rules", "--edit", "replace:left=>right")
    assert "--edit leaves 7 episodes of 12 as they are; those are not walked" in result.output


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("replace:zebra=>x", "no instruction of tiny.json is changed by it"),
        ("left=>right", "is no rule; write replace:OLD=>NEW"),
    ],
)
def test_an_edit_that_cannot_be_is_one_sentence(texts, rule, sentence):
    result = walk(texts, "--navigator", "rules", "--edit", rule)
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())


def test_a_prompt_from_a_file_is_walked_and_stored(texts, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("Answer in JSON.\n=== user ===\n{sub_goal}\n{map}")
    with FakeOpenAI(brain()) as server:
        result = walk(
            texts,
            *("--navigator", "groke", "--llm", f"openai:m@{server.url}", "--limit", "1"),
            *("--set", f"prompt=@{path}", "--format", "json"),
        )
        assert result.exit_code == 0, result.output
        systems = {request.body["messages"][0]["content"] for request in server.requests}
    assert "Answer in JSON." in systems
    [trace] = Path(last_line(result)["traces"]).glob("*.trace.jsonl")
    header = read_trace(trace).header
    assert header.settings["prompt"] == path.read_text()
    assert set(header.resolved) == {"prompt_sha256"}
