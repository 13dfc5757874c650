"""What a release says of itself, in every place that says it, and what the workflows call."""

from __future__ import annotations

import re
import tomllib

import yaml

from navviz.support.version import VERSION
from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_citation_names_the_same_release():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (VERSION, PROJECT["license"])
    assert [one["name"] for one in citation["authors"]] == [
        one["name"] for one in PROJECT["authors"]
    ]
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_listed_python_is_tested():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())["jobs"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert jobs["tests"]["strategy"]["matrix"]["python"] == versions


def test_workflows_have_no_secret_and_few_rights():
    assert len(WORKFLOWS) == 3
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        document = yaml.safe_load(text)
        assert "secrets." not in text
        assert document["permissions"] == {"contents": "read"}
        for job in document["jobs"].values():
            # only who hands over by a trusted publisher may ask for a token
            assert set(job.get("permissions", {})) <= {"id-token", "pages"}
