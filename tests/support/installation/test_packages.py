"""The lists of packages agree, extras are optional, and a missing one is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

import pytest

from navviz.errors import MissingExtraError
from navviz.support.installation import extras
from navviz.support.installation.extras import EXTRAS, extra_hint, needs_extra
from navviz.support.version import DISTRIBUTION
from tests.paths import ROOT
from tests.support.installation.conftest import BLOCKED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

WITHOUT_EXTRAS = """
import navviz
from navviz.cli import main
from navviz.formats import readers
from navviz.systems.registry import get_navigator, navigator_names
from navviz.annotation.database import Database
import navviz.ui.state.shell, navviz.llm.registry, navviz.views.compare, navviz.runner, navviz.datasets.places
[readers(kind) for kind in ("graph", "episodes", "results")]
[get_navigator(name) for name in navigator_names()]
"""

NEEDING = {
    "postgres": "from navviz.annotation.database import Database; Database('postgresql+psycopg://a:b@127.0.0.1:9/c')",
    "osm": "from navviz.datasets.places import open_place; open_place('Kiel')",
    "gemini": "from navviz.llm.registry import make_model; make_model('gemini:m', key='some-key')",
    "openai": "from navviz.llm.registry import make_model; make_model('openai:m@http://127.0.0.1:9/v1')",
    "figures": "import navviz.views.figures.figure",
    "mesh": "from pathlib import Path; from navviz.formats.floor_pictures import read_mesh; read_mesh(Path('a.obj'))",
    "text": "from navviz.metrics.text import text_scores; text_scores('a b', ['a b'])",
    "film": "from pathlib import Path; from navviz.views.player.film import Film, film_replay; film_replay('', Path('a.gif'), Film(), [0])",
}
"""Code that needs an extra."""


def _run(code: str) -> subprocess.CompletedProcess[str]:
    """Run code where no extra can be imported."""
    command = [sys.executable, "-c", BLOCKED + code]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.fixture(scope="module")
def without_extras():
    """What one Python without any extra raised, by what it ran: most of its time are imports."""
    code = """
import json
def run(code):
    try:
        exec(code, {})
    except BaseException as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}"
    return ""
"""
    ran = {"nothing": WITHOUT_EXTRAS, **NEEDING}
    done = _run(f"{code}print(json.dumps({{name: run(code) for name, code in {ran!r}.items()}}))")
    raised: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return raised


def _requirements() -> set[str]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return {name for line in lines if (name := line.partition("#")[0].strip())}


def test_requirements_txt_sets_up_everything_that_pyproject_lists():
    optional = dict(PROJECT["project"]["optional-dependencies"])
    assert optional.pop("window"), "a desktop's: a server and CI have none"
    assert optional.pop("text-coco"), "104 MB, and METEOR needs Java"
    assert optional.pop("rerun"), "490 MB with its viewer"
    assert optional.pop("remote"), "botocore has 25 MB, and Dask brings fsspec"
    assert optional.pop("all") == [f"navviz-vln[{','.join(optional)}]"]
    groups = [
        PROJECT["project"]["dependencies"],
        *optional.values(),
        *PROJECT["dependency-groups"].values(),
    ]
    listed = [name for group in groups for name in group]
    assert len(listed) == len(set(listed)), "a package stands in two lists"
    assert _requirements() == set(listed)


def _named(requirement: str) -> str:
    return re.split(r"[\[<>=!~;\s(]", requirement)[0].lower().replace("_", "-")


def _with_theirs(names: set[str]) -> set[str]:
    """Packages, and all that these bring along without an extra."""
    known, new = set[str](), names
    while new:
        known |= new
        theirs: set[str] = set()
        for name in new:
            with suppress(PackageNotFoundError):
                theirs |= {_named(one) for one in requires(name) or () if "extra ==" not in one}
        new = theirs - known
    return known


def test_what_modules_import_is_installed_with_navviz():
    """A package that only an extra brings along is missing where nobody took that extra."""
    project = PROJECT["project"]
    bare = _with_theirs({_named(one) for one in project["dependencies"]})
    extra = {_named(one) for group in project["optional-dependencies"].values() for one in group}
    owners, imported = packages_distributions(), set[str]()
    for path in (*(ROOT / "navviz").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        imported |= set(re.findall(r"^from (\w+)[\w.]* import ", text, re.MULTILINE))
        imported |= set(re.findall(r"^import (\w+)[\w. ]*$", text, re.MULTILINE))
    missing = {}
    for name in imported - sys.stdlib_module_names - {"navviz", "traitlets"}:
        if not {_named(one) for one in owners.get(name, [name])} & (bare | extra):
            missing[name] = owners.get(name)
    assert missing == {}  # traitlets: anywidget's, in the one module of the extra `notebook`


def test_every_hint_names_our_distribution():
    """On the package index ``navviz`` belongs to another project: a hint that names it installs a
    stranger's code.
    """
    assert PROJECT["project"]["name"] == DISTRIBUTION == "navviz-vln"
    texts = [*(ROOT / "navviz").rglob("*.py"), *(ROOT / "assets" / "new-system").iterdir()]
    texts += [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    hints = {
        f"{path.relative_to(ROOT)}: {hint}"
        for path in texts
        for hint in re.findall(
            r"(?:install|dependencies = \[)[ \"']+(navviz[\w-]*)", path.read_text(encoding="utf-8")
        )
        if hint != DISTRIBUTION
    }
    assert hints == set()


def test_every_extra_has_a_sentence():
    assert set(EXTRAS) == set(PROJECT["project"]["optional-dependencies"]) - {"all", "window"}
    assert all(extra_hint(extra) is None for extra in set(EXTRAS) - {"text-coco", "rerun"}), (
        "requirements.txt installs all of them"
    )


@pytest.mark.nightly
def test_what_needs_no_extra_runs_without_any(without_extras):
    assert without_extras["nothing"] == ""


@pytest.mark.parametrize(
    "failing", [ModuleNotFoundError("No module", name="osmnx"), ImportError("cannot import")]
)
def test_a_missing_package_becomes_a_sentence(monkeypatch, failing):
    monkeypatch.setitem(extras.EXTRAS, "osm", ("no_such_package.at_all", "maps"))
    with pytest.raises(MissingExtraError) as caught, needs_extra("osm"):
        raise failing
    assert str(caught.value) == (
        "Maps need a package that is not installed (no_such_package.at_all); install it with: pip install 'navviz-vln[osm]'."
    )
    assert extra_hint("osm") == str(caught.value)


def test_a_film_without_its_encoder_is_a_sentence(tmp_path):
    code = "from pathlib import Path; from navviz.views.player import film; "
    done = _run(code + f"film.check_encoder(Path({str(tmp_path)!r}) / 'a.mp4')")
    assert (
        "MissingExtraError: MP4 needs a package that is not installed (imageio_ffmpeg)"
        in done.stderr
    )
    assert "pip install 'navviz-vln[film]'" in done.stderr


def test_another_failed_import_stays_what_it_is():
    with pytest.raises(ModuleNotFoundError, match="shapely"), needs_extra("osm"):
        raise ModuleNotFoundError("No module named 'shapely'", name="shapely")


@pytest.mark.parametrize("extra", NEEDING)
def test_whoever_needs_an_extra_names_it(extra, without_extras):
    assert without_extras[extra].startswith("navviz.errors.MissingExtraError: ")
    assert without_extras[extra].endswith(f"install it with: pip install 'navviz-vln[{extra}]'.")


def test_only_one_module_knows_where_files_lie():
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "navviz").rglob("*.py")
        if "__file__" in path.read_text(encoding="utf-8")
    }
    # the rules' weights lie beside the module that reads them, in a checkout as in a wheel
    assert asking == {
        "navviz/support/installation/files.py",
        "navviz/systems/rules/indoors/weights.py",
        "navviz/language/placing/scoring.py",
        # where Streamlit keeps its own page, which gets a policy
        "navviz/ui/server/serve.py",
    }
