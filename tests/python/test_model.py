"""Models: read, shown, copied, and what a wrong one says."""

import copy
import pickle
from pathlib import Path
from xml.etree import ElementTree

import pytest

import greybox as gb
from conftest import PENDULUM
from greybox._mathml import to_mathml

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_dictionary_a_text_and_a_file_are_the_same_model(model, tmp_path):
    (tmp_path / "pendulum.toml").write_text(model.text, encoding="utf-8")
    for other in (gb.Model.from_text(model.text), gb.Model(tmp_path / "pendulum.toml")):
        assert other.name == "pendulum"
        assert other.parameters == model.parameters
        assert other.text == model.text


def test_every_example_is_read_back_from_its_dictionary():
    tomllib = pytest.importorskip("tomllib")
    for file in sorted(EXAMPLES.glob("*.toml")):
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        again = gb.Model(values, name=str(file))
        assert [vars(one) for one in again.equations] == [vars(one) for one in gb.Model(file).equations]


def test_says_what_it_is(model):
    assert model.parameters["g"] == gb.Parameter("g", "m/s^2", "gravity", "uniform", 8, 12)
    assert model.states == model.outputs == ["angle", "velocity"]
    assert model.regularizers["normD"] == "mean(norm2(network))"
    assert not model.is_algebraic
    assert model.data_file is None
    assert gb.Model(EXAMPLES / "toy.toml").data_file == EXAMPLES / "toy.csv"


def test_shows_its_mathematics(model):
    html = model._repr_html_()
    rate = '<mfrac><mrow><mi>d</mi><mi mathvariant="normal">angle</mi></mrow><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>'
    assert rate in html
    assert '<mo>−</mo><mi>g</mi><mspace width="0.17em"></mspace><mi>sin</mi>' in html
    assert "\\" not in html
    assert "gravity" in html
    assert "Regularizers" in html


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_mathematics_of_every_example_is_well_formed(file):
    for equation in gb.Model(file).equations:
        tree = ElementTree.fromstring(to_mathml(equation.latex))
        assert "\\" not in "".join(tree.itertext()), equation.latex


def test_check_explains_model_and_data(model, frame):
    assert "dangle/dt = velocity" in model.check().text
    summary = model.check(frame)
    assert "280 windows" in summary.text
    assert summary.details["data"]["windows"] == 280
    assert "warning" not in str(summary)


def test_a_dataset_has_windows_and_splits(model, frame):
    dataset = model.dataset(frame)
    assert len(dataset) == 280
    assert dataset.to_pandas()["split"].value_counts().to_dict() == {"train": 140, "validation": 70, "test": 70}
    assert "140 train" in repr(dataset)
    assert "<td" in dataset._repr_html_()


def test_pickles_and_copies(model):
    assert pickle.loads(pickle.dumps(model)) == model
    assert copy.deepcopy(model) == model


def test_a_mistake_is_shown_where_it_is():
    text = gb.Model(PENDULUM).text.replace('angle = "velocity"', 'angle = "velocty"')
    with pytest.raises(gb.InputError) as caught:
        gb.Model.from_text(text, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml:")
    assert "unknown name `velocty` in the theory of `angle`" in message
    assert "^^^^^^^" in message
    assert "did you mean `velocity`" in message
    assert caught.value.diagnostics[0].line > 0
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("name = 'x'\n", "Model.from_text"),
        ({"parameters": {"k": {"prior": None}}}, "model dictionary, `parameters.k.prior`"),
        ({"colour": "red"}, "colour"),
        ({3: "red"}, "model dictionary: error: `3` is no name"),
        ("nowhere.toml", "nowhere.toml"),
    ],
)
def test_a_wrong_source_says_so(source, expected):
    with pytest.raises(gb.InputError, match=expected):
        gb.Model(source)


def test_a_wrong_example_says_which_there_are():
    with pytest.raises(gb.InputError, match="one of toy, pendulum"):
        gb.example("tou")
