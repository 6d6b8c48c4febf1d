"""Pictures: on axes of the caller's, and on new ones."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import greybox as gb


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_landscapes_over_one_parameter_have_bands(run):
    landscape = run.landscape(g=(8, 12, 11), seeds=2, progress=False)
    axes = landscape.plot()
    assert [ax.get_title(loc="left") for ax in axes] == ["R: normD", "R: corr", "RMSE"]
    assert "g (gravity)  [m/s²]" in axes[0].get_xlabel()
    assert len(axes[0].collections) >= 1
    mean = next(line for line in axes[0].lines if line.get_label() == "mean of the networks")
    assert np.array_equal(mean.get_ydata(), landscape["normD"].values)


def test_landscapes_over_two_parameters_on_given_axes(toy_run):
    landscape = toy_run.landscape(a=7, c=5, progress=False)
    figure, given = plt.subplots(1, 2)
    axes = landscape.plot(["normD", "corr"], ax=given)
    assert list(axes) == list(given)
    mesh = given[0].collections[0]
    assert np.allclose(np.asarray(mesh.get_array()).ravel(), landscape["normD"].values.T.ravel())
    with pytest.raises(ValueError, match="draws 5 panels, and `ax` has 2 axes"):
        landscape.plot(ax=given)
    with pytest.raises(KeyError, match="no regularizer `nomD`"):
        landscape.plot("nomD")
    figure.canvas.draw()


def test_where_the_network_did_not_adapt_is_hatched(toy_run):
    landscape = toy_run.landscape(a=7, c=5, progress=False)
    landscape.grids[0].is_poor[0, :] = True
    axes = landscape.plot("normD", error=False)
    assert any(getattr(one, "hatches", None) == ["///"] for one in axes[0].collections)
    axes[0].figure.canvas.draw()


def test_planes_are_drawn(toy_run):
    toy_run.landscape(plane="pca", n_windows=5, progress=False).plot()[0].figure.canvas.draw()


def test_profiles_posteriors_predictions_curves_and_comparisons(run, toy_run, toy_frame):
    axes = run.verdicts(progress=False).plot("corr")
    assert axes[0].get_title(loc="left") == "g under corr"
    assert len(run.sample("corr", beta=3, progress=False).plot()) == 1
    assert len(toy_run.sample("centred", beta=3, progress=False).plot()) == 3
    assert [ax.get_title(loc="left") for ax in run.predict(theta={"g": 9.8}).plot()] == [
        "angle",
        "velocity",
        "d angle/dt",
        "d velocity/dt",
    ]
    toy = toy_run.predict(theta={"a": 1, "c": 0}).plot()
    assert toy[0].get_xlabel() == "x"
    assert len(run.plot()) == 2
    gb.compare(gb.example("toy"), toy_frame, lambdas=[1e-2, 1e-1], trials=2, epochs=2, progress=False).plot()
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()


def test_logarithmic_parameters_have_logarithmic_axes(toy_frame):
    text = gb.example("toy").text.replace("low = 0, high = 2", 'low = 0.1, high = 10, scale = "log"')
    run = gb.Model.from_text(text, "toy").fit(toy_frame, epochs=20, progress=False)
    landscape = run.landscape(a=(0.1, 10, 7), c=7, progress=False)
    assert landscape.axes[0].is_log
    panel = landscape.plot("normD", error=False)[0]
    assert (panel.get_xscale(), panel.get_yscale()) == ("log", "linear")
    assert run.landscape(a=(0.1, 10, 7), progress=False).plot()[0].get_xscale() == "log"
    assert run.sample("normD", beta=1, progress=False).plot()[0].get_xscale() == "log"


def test_what_cannot_be_drawn_is_said(toy_run):
    prediction = toy_run.predict(theta={"a": 1, "c": 0})
    with pytest.raises(IndexError, match="no window 1000: the prediction has 90, counted from 0"):
        prediction.plot(window=1000)
    with pytest.raises(TypeError, match=r"`ax` holds int, and Prediction.plot\(\) draws on matplotlib's axes"):
        prediction.plot(ax=3)
