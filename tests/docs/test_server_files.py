"""The server's container files, without Docker: what they copy, run and set is what there is."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from typing import Any

import typer
import uvicorn
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from navviz.cli import app as app_command
from navviz.cli import application
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "server"
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
COPIES = [line.split()[1:] for line in DOCKERFILE.splitlines() if line.startswith("COPY ")]


def test_what_is_copied_is_enough_to_build_the_wheel(tmp_path):
    source = tmp_path / "src"
    source.mkdir()
    for *names, target in COPIES:
        for name in names:
            place = source / name if target == "./" else source / target
            place.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, place)
    command = [
        sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "out"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=source, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "out").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith("data/app.py") for name in names)
    assert any(name.endswith("data/assets/player.js") for name in names)


def test_the_command_has_a_door_and_runs_without_rights():
    (extras,) = re.findall(r"'\.\[([a-z,]+)\]'", DOCKERFILE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    lines = DOCKERFILE.splitlines()
    words = json.loads(lines[-1].removeprefix("CMD "))
    assert words[:2] == ["navviz", "app"]
    app = typer.main.get_command(application()).commands["app"]  # type: ignore[attr-defined]
    options = {name for parameter in app.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
    assert words[words.index("--door") + 1] == "password"
    assert "USER navviz" in lines
    assert lines.index("USER navviz") < lines.index("VOLUME /data")
    # a shorter password is refused at the start, which a container would try again for ever
    text = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    assert f"({app_command._SHORTEST_PASSWORD} characters or more each" in text
    check = json.loads(re.search(r'^  CMD (\[".*\])$', DOCKERFILE, re.MULTILINE)[1])  # type: ignore[index]
    assert "/_stcore/health" in check[-1]
    compile(check[-1], "healthcheck", "exec")


def test_the_lock_holds_what_the_container_installs_each_with_its_hash():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r"'\.\[([a-z,]+)\]'", DOCKERFILE)
    wanted = list(project["dependencies"])
    for extra in extras.split(","):
        wanted += project["optional-dependencies"][extra]
    text = (FOLDER / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.replace(" \\\n", " "))
    locked = {}
    for entry in filter(None, map(str.strip, entries)):
        requirement = Requirement(entry.partition(" --hash=")[0])
        assert "--hash=sha256:" in entry, requirement.name
        (pinned,) = requirement.specifier
        assert pinned.operator == "=="
        locked[canonicalize_name(requirement.name)] = pinned.version
    for name in wanted:
        needed = Requirement(name)
        assert needed.specifier.contains(locked[canonicalize_name(needed.name)]), name


def test_every_variable_is_one_that_navviz_reads():
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "navviz").rglob("*.py"))
    read = set(re.findall(r"\"(NAVVIZ_[A-Z_]+)\"", code))
    services = COMPOSE["services"]
    assert set(services["navviz"]["environment"]) <= read | {"FORWARDED_ALLOW_IPS"}
    # read by the server below NavViz
    assert '"FORWARDED_ALLOW_IPS"' in inspect.getsource(uvicorn.Config)
    assert {
        name for name, _value in re.findall(r"^ENV (\w+)=(\S+)", DOCKERFILE, re.MULTILINE)
    } <= read
    assert services["navviz"]["environment"]["NAVVIZ_DB"].startswith("postgresql+psycopg://navviz:")
    assert "@database/navviz" in services["navviz"]["environment"]["NAVVIZ_DB"]


def test_only_the_proxy_is_open_and_its_files_exist():
    services, volumes = COMPOSE["services"], set(COMPOSE["volumes"])
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    build = services["navviz"]["build"]
    context = (FOLDER / build["context"]).resolve()
    assert context == ROOT.resolve()
    assert (context / build["dockerfile"]).is_file()
    for service in services.values():
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source in volumes or (FOLDER / source).is_file()
        assert set(service.get("depends_on", ())) <= set(services)
    caddy = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    assert "reverse_proxy navviz:8501" in caddy
    assert "{$NAVVIZ_HOST}" in caddy
