"""A published site: its files, what they hold, what is left out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

import navviz
from navviz.analysis.alike import alike_failures
from navviz.analysis.site.publish import SiteOptions, publish_runs
from navviz.analysis.site.redaction import RepeatedThoughts
from navviz.errors import NavVizError
from navviz.records import Decision, Message, Panel
from tests.formats.vlnce import made
from tests.sites import parts_in, site_of, tiny_run

HARBOUR = navviz.samples_dir() / "harbour" / "runs"
HOUSE = navviz.samples_dir() / "house" / "runs" / "mapgpt-pictures-by-hand"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = {name: navviz.open_run(HARBOUR / name) for name in ("rules", "random-walker")}
    options = SiteOptions(title="Harbour", authors="A & B", url="https://lab.example/s", year=2026)
    return publish_runs(runs, tmp_path_factory.mktemp("site") / "out", options).folder


def test_a_site_holds_page_scripts_data_and_badges(harbour: Path) -> None:
    names = {str(path.relative_to(harbour)) for path in harbour.rglob("*") if path.is_file()}
    assert {"index.html", "badge.svg", "badge-1.svg", "badge-2.svg"} <= names
    assert {"data/site.js", "data/list-0.js", "data/list-1.js", "data/episodes-1-0.js"} <= names
    assert {"assets/site.js", "assets/player.js", "assets/leaflet.js"} <= names
    assert "assets/plotly.js" not in names  # no house in it
    assert not [path for path in harbour.parent.iterdir() if path != harbour]


def test_a_space_has_the_head_that_its_host_reads(tmp_path: Path) -> None:
    title = 'Walks: "a" # {{ 7*7 }} ---\nsdk: docker'
    folder = site_of(tmp_path / "space", tiny_run(), title=title, space=True).folder
    _, head, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    read = yaml.safe_load(head)
    assert read["title"] == title
    assert (read["sdk"], read["app_file"]) == ("static", "index.html")
    assert "NavViz" in text
    # an older one is replaced, as any site is
    assert site_of(tmp_path / "space", tiny_run()).folder == folder
    assert not (folder / "README.md").exists()


def test_a_site_asks_no_address_but_its_own(harbour: Path) -> None:
    page = (harbour / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="(?:https?:)?/', page)
    assert "default-src &#x27;none&#x27;" in page
    assert "<script>" not in page  # all of them are files


def test_figures_are_those_of_the_run_with_n_and_interval(harbour: Path) -> None:
    (site,) = parts_in(harbour / "data" / "site.js")
    figures = {one["metric"]: one for one in site["runs"][0]["figures"]}
    assert figures["SR"]["text"] == "71.4 %"
    assert (figures["SR"]["n"], figures["SR"]["span"]) == (14, "41.9 % to 91.6 %")
    assert "SR" in (harbour / "badge.svg").read_text(encoding="utf-8")
    assert "71.4 % · n = 14" in (harbour / "badge.svg").read_text(encoding="utf-8")


def test_the_list_and_each_document_stand_in_file_order(harbour: Path) -> None:
    run = navviz.open_run(HARBOUR / "rules")
    (columns,) = parts_in(harbour / "data" / "list-0.js")
    assert columns["episode"] == list(run.traces)
    assert columns["outcome"].count("success") == 10
    (site,) = parts_in(harbour / "data" / "site.js")
    chunks = sorted(set(site["runs"][0]["chunk_of"]))
    documents = []
    for chunk in chunks:
        documents += parts_in(harbour / "data" / f"episodes-0-{chunk}.js")
    assert len(chunks) > 1
    assert [one["episode"]["id"] for one in documents] == list(run.traces)
    assert len(documents[0]["steps"]) == len(run.trace("1").steps)


def test_failures_are_grouped_by_words_as_in_explore(harbour: Path) -> None:
    run = navviz.open_run(HARBOUR / "random-walker")
    alike = alike_failures(run)
    (site,) = parts_in(harbour / "data" / "site.js")
    published = site["runs"][1]
    assert [(one["id"], one["failures"]) for one in published["groups"]] == [
        (cluster.id, len(cluster.episodes)) for cluster in alike.clusters
    ]
    assert {one["share"]["n"] for one in published["groups"]} == {alike.failures}
    assert published["groups_note"].startswith("12 failures grouped by their instructions")
    (columns,) = parts_in(harbour / "data" / "list-1.js")
    listed = dict(zip(columns["episode"], columns["words"], strict=True))
    assert {key: group for key, group in listed.items() if group} == alike.ids
    (words,) = [column for column in published["columns"] if column["name"] == "words"]
    assert words["labels"] == alike.labels
    assert not site["runs"][0]["groups"]  # four failures are sooner read one by one


def test_runs_are_compared_with_the_first(harbour: Path) -> None:
    (site,) = parts_in(harbour / "data" / "site.js")
    assert (site["compare"]["baseline"], site["compare"]["episodes"]) == ("rules", 14)
    rates = [one for one in site["compare"]["figures"] if one["metric"] == "SR"]
    assert [one["text"] for one in rates] == ["71.4 %", "14.3 %"]
    assert rates[1]["difference"].startswith("-57.1 points (-")


def test_sources_are_named_without_folders(harbour: Path) -> None:
    text = str(parts_in(harbour / "data" / "site.js"))
    assert "sha256" in text
    assert str(HARBOUR) not in text
    (site,) = parts_in(harbour / "data" / "site.js")
    assert r"author = {A \& B}" in site["bibtex"]
    assert r"howpublished = {\url{https://lab.example/s}}" in site["bibtex"]


SECRET = "the-secret-word"


@pytest.mark.parametrize(
    ("without", "gone", "kept"),
    [("prompts", "messages", "thoughts"), ("thoughts", "thoughts", "messages")],
)
def test_what_is_left_out_is_nowhere(tmp_path: Path, without: str, gone: str, kept: str) -> None:
    whole = site_of(tmp_path / "whole", tiny_run())
    less = site_of(tmp_path / "less", tiny_run(), without=frozenset({without}))

    def call(folder: Path) -> dict[str, object]:
        (document,) = parts_in(folder / "data" / "episodes-0-0.js")
        return dict(document["steps"][0]["calls"][0])

    assert call(whole.folder)[gone]
    assert not call(less.folder).get(gone)
    assert call(less.folder)[kept]
    (site,) = parts_in(less.folder / "data" / "site.js")
    assert site["without"] == [without]


def test_thoughts_are_left_out_where_other_texts_repeat_them(tmp_path: Path) -> None:
    """In a later prompt with other line breaks, in the reply, its fields, a reason, a panel."""
    thought = f'I see a "blue"\ndoor, {SECRET}.'
    second = f"And behind it, another {SECRET}."
    log = json.dumps({"thought": thought, "more": second, "go": "x"})
    history = f"You thought: {' '.join(thought.split())} Directions: walk on."
    panel = {"rows": [[thought]], "mark": {"text": f"So: {second}", "start": 4, "end": 9}}
    run = tiny_run()
    trace = run.traces["ep-1"]
    call = (
        trace.steps[0]
        .calls[0]
        .model_copy(
            update={
                "thoughts": f"{thought}\n\n{second}",
                "reply": log,
                "parsed": json.loads(log),
                "messages": (Message(role="user", text=history),),
            }
        )
    )
    step = trace.steps[0].model_copy(
        update={
            "calls": (call,),
            "panels": (Panel(kind="table", title="Memory", data=panel),),
            "decision": Decision(target="x", reason=thought),
        }
    )
    run.run.traces["ep-1"] = trace.model_copy(update={"steps": (step, *trace.steps[1:])})
    assert SECRET in _all_data(site_of(tmp_path / "whole", run).folder)
    written = _all_data(site_of(tmp_path / "less", run, without=frozenset({"thoughts"})).folder)
    assert SECRET not in written
    assert "You thought: (left out of this site) Directions: walk on." in written
    repeated = RepeatedThoughts(run.traces["ep-1"])
    assert not repeated.holds(f"{SECRET}. Directions: walk on")
    assert repeated.holds(f'"blue" door, {SECRET}')


def test_a_cause_whose_proof_is_left_out_stays_and_says_so(tmp_path: Path) -> None:
    """All that proves some causes stands in the prompt."""
    (tmp_path / "walks").mkdir()
    shutil.copy(HARBOUR / "groke-by-hand" / "7.trace.jsonl", tmp_path / "walks")
    run = navviz.open_run(tmp_path / "walks", graphs=HARBOUR.parent)
    less = site_of(tmp_path / "less", run, without=frozenset({"prompts"})).folder
    (document,) = parts_in(less / "data" / "episodes-0-0.js")
    causes = {cause["id"]: cause for cause in document["causes"]["all"]}
    quotes = causes["label-contradicts"]["quotes"]
    assert {one["text"] for one in quotes if one["source"] == "prompt"} == {
        "(left out of this site)"
    }


def test_private_names_and_addresses_are_nowhere(tmp_path: Path) -> None:
    """Files that lie unread beside a run, servers of models, folders in settings."""
    run, graph = tmp_path / "walks", tmp_path / "graph"
    shutil.copytree(HARBOUR.parent / "osm" / "graph", graph)
    run.mkdir()
    (graph / "reviewers-hushed.txt").write_text("hushed")
    (run / "hushed.json").write_text("{}")
    lines = (HARBOUR / "rules" / "1.trace.jsonl").read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0]) | {"model": "openai:qwen@http://hushed.lab:8000/v1"}
    header["settings"] |= {"prompt": "hushed", "url": "http://hushed.lab/", "file": "/hushed/x"}
    text = "\n".join([json.dumps(header), *lines[1:]])
    (run / "1.trace.jsonl").write_text(text, encoding="utf-8")
    opened = navviz.open_run(run, graphs=graph)
    site = site_of(tmp_path / "site", opened, without=frozenset({"prompts"})).folder
    assert "hushed" not in _all_data(site)
    (written,) = parts_in(site / "data" / "site.js")
    names = [file["name"] for file in written["runs"][0]["files"]]
    assert {"1.trace.jsonl", "nodes.txt"} <= set(names)
    assert written["runs"][0]["model"] == "openai:qwen"


def test_without_pictures_no_byte_and_no_name_of_one_is_left(tmp_path: Path) -> None:
    run = navviz.open_run(HOUSE)
    whole = site_of(tmp_path / "whole", run).folder
    less = site_of(tmp_path / "less", run, without=frozenset({"pictures"})).folder
    # of what the agent saw, of the house's pictures, and of its floors
    names = [path.name for path in HOUSE.rglob("*.jpg")]
    assert names
    signs = (names[0], "skybox", "data:image")
    assert all(sign in _all_data(whole) for sign in signs)
    written = _all_data(less)
    assert not [sign for sign in (*names, *signs, ".webp", ".png") if sign in written]
    assert "picture of view" in written  # a prompt's words are left out by another switch


def _all_data(site: Path) -> str:
    texts = [json.dumps(parts_in(path)) for path in sorted((site / "data").glob("*.js"))]
    return "\n".join(texts)


def test_a_folder_of_something_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(NavVizError, match="holds something else"):
        site_of(tmp_path, tiny_run())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_older_site_is_replaced_whole(tmp_path: Path) -> None:
    first = site_of(tmp_path / "site", tiny_run("one"), tiny_run("two"))
    assert (first.folder / "data" / "list-1.js").is_file()
    again = site_of(tmp_path / "site", tiny_run("one"))
    assert not (again.folder / "data" / "list-1.js").exists()


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    first, again = (site_of(tmp_path / name, tiny_run(), year=2026).folder for name in "ab")
    for path in first.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (again / path.relative_to(first)).read_bytes(), path


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NavVizError, match="--without names: is none of prompts"):
        navviz.publish(tiny_run(), tmp_path / "site", without=["names"])


def test_runs_that_have_estimated_figures_alone_are_compared(tmp_path: Path) -> None:
    made.split(tmp_path)
    files = [made.write(tmp_path / f"{name}.json", made.predictions()) for name in ("a", "b")]
    runs = [navviz.open_run(file) for file in files]
    (site,) = parts_in(site_of(tmp_path / "site", *runs).folder / "data" / "site.js")
    shown = {(one["run"], one["metric"]): one for one in site["compare"]["figures"]}
    assert shown["b", "NE_est"]["text"] == "1.50 m"
    assert shown["b", "NE_est"]["difference"].startswith("0.00 m (")
