"""The package itself: its examples, its command, what is missing, what it shows of progress."""

import ast
import doctest
import importlib
import inspect
import io
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import greybox as gb
from greybox import _core, _progress

MODULES = [name for _, name, _ in pkgutil.iter_modules(gb.__path__) if name not in ("_core", "__main__")]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_every_example_of_a_docstring_runs(name):
    module = importlib.import_module(f"greybox.{name}" if name else "greybox")
    assert doctest.testmod(module).failed == 0


def test_everything_public_is_documented():
    for name in gb.__all__:
        value = getattr(gb, name)
        if callable(value):
            assert value.__doc__, name
            assert not value.__doc__.startswith(f"{name}("), name


def test_every_class_of_a_public_module_is_exported():
    for name in [name for name in MODULES if not name.startswith("_")]:
        module = importlib.import_module(f"greybox.{name}")
        classes = [value for value in vars(module).values() if inspect.isclass(value)]
        assert {one.__name__ for one in classes if one.__module__ == module.__name__} <= set(gb.__all__), name


def test_everything_public_is_in_the_reference():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    assert set(gb.__all__) - {"__version__"} == set(re.findall(r"^::: greybox\.(\w+)$", page, re.MULTILINE))


def test_versions_agree(tool):
    try:
        assert version("greybox-modelling") == gb.__version__
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not installed")
    assert gb.__version__ in subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout


def test_the_project_names_the_same_pythons_everywhere():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    named = re.findall(r":: Python :: 3\.(\d+)", " ".join(project["project"]["classifiers"]))
    assert project["project"]["requires-python"] == f">=3.{named[0]}"
    assert re.findall(r"cp3(\d+)-", project["tool"]["cibuildwheel"]["build"]) == named
    workflow = Path(__file__).parents[2] / ".github" / "workflows" / "tests.yml"
    if workflow.exists():  # a source distribution has none
        assert re.findall(r'"3\.(\d+)"', workflow.read_text(encoding="utf-8").partition("matrix:")[2]) == named


def test_the_command_is_the_tool():
    done = subprocess.run([sys.executable, "-m", "greybox", "check", "nowhere.toml"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "nowhere.toml" in done.stderr


@pytest.mark.parametrize(
    ("package", "ask"),
    [
        ("pandas", lambda r: r.landscape(g=5, progress=False).to_pandas()),
        ("xarray", lambda r: r.predict(theta={"g": 9}).to_xarray()),
        ("matplotlib", lambda r: r.landscape(g=5, progress=False).plot()),
        ("arviz", lambda r: r.sample("corr", beta=2, progress=False).to_arviz()),
    ],
)
@pytest.mark.filterwarnings("ignore::greybox.GreyboxWarning")
def test_a_missing_package_is_named(run, monkeypatch, package, ask):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"needs the package `{package}`.*pip install {package}"):
        ask(run)


def test_numpy_alone_is_enough(tmp_path):
    """A fresh interpreter in which nothing but numpy can be imported."""
    script = f"""
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "polars", "xarray", "matplotlib", "arviz", "scipy", "IPython"):
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Nothing())
sys.path.insert(0, {str(Path(gb.__file__).parents[1])!r})
import numpy as np, greybox as gb
x = np.linspace(-3, 3, 60)
run = gb.example("toy").fit({{"x": x, "y": np.sin(x)}}, epochs=2)
print(run.landscape(a=3, c=3)["normD"].values.shape, run.verdicts()[0].parameter)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "(3, 3) a", done.stderr
    assert done.stderr == "", "a log shows no progress"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_that_goes_away(model, frame, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    model.fit(frame, epochs=5)
    shown = screen.getvalue()
    assert "▕████████████████████████▏ 5/5 epochs  L " in shown
    assert shown.endswith("\r\x1b[K")


def test_a_notebook_updates_one_line(model, frame, monkeypatch):
    shown = []

    class Handle:
        def update(self, bundle, raw):
            shown.append(("update", bundle["text/plain"]))

    def display(bundle, raw, display_id):
        shown.append(("display", bundle["text/plain"]))
        return Handle()

    pytest.importorskip("IPython")
    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr(_progress, "_is_notebook", lambda: True)
    model.fit(frame, epochs=50)
    assert [kind for kind, _ in shown].count("display") == 1
    assert "50/50 epochs" in shown[-1][1]


def test_data_sets_are_made(tmp_path):
    file = gb.make_data("toy", tmp_path / "toy.csv", size=20)
    assert np.loadtxt(file, delimiter=",", skiprows=1).shape == (20, 2)
    with pytest.raises(gb.InputError, match="argument `overwrite`|already"):
        gb.make_data("toy", file)
    with pytest.raises(gb.InputError, match="one of toy"):
        gb.make_data("tou")


def test_a_report_is_written_where_the_page_is_built_in(toy_run, tmp_path):
    try:
        file = toy_run.report(tmp_path / "report.html", progress=False)
    except RuntimeError as error:
        assert "report page" in str(error)  # noqa: PT017
        pytest.skip("built without the page")
    assert file.stat().st_size > 100_000


def test_the_stub_names_what_the_extension_has():
    def own(value: object) -> set[str]:
        return {name for name in vars(value) if not name.startswith("_")}

    tree = ast.parse((Path(gb.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions | (classes.keys() - {"Result"}) == own(_core)
    shared = {node.name for node in classes["Result"].body}
    for name, node in classes.items():
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)} - {"__init__"}
        if name != "Result":
            assert methods | (shared if node.bases else set()) == own(getattr(_core, name)), name
