"""What says whether a run may be believed: its fit, the structure of its model, verdicts and what they rest on."""

import copy
import pickle

import numpy as np
import pytest

import greybox as gb
from conftest import PENDULUM


@pytest.fixture(scope="module")
def sick_run(frame):
    """Trained for one epoch on noise."""
    rng = np.random.default_rng(0)
    noise = frame.assign(angle=rng.standard_normal(len(frame)), velocity=rng.standard_normal(len(frame)))
    return gb.Model(PENDULUM).fit(noise, epochs=1, progress=False)


@pytest.fixture(scope="module")
def untrained_run(frame):
    """A network that stands where it began, and a prior that reaches far: most θ do not fit."""
    data = {**PENDULUM["data"], "window": {"length": 12, "observed": 1}}
    train = {**PENDULUM["train"], "rate": [1e-9, 1e-9], "epochs": 1}
    wide = {"g": {"prior": "uniform", "low": 1, "high": 30}}
    return gb.Model({**PENDULUM, "data": data, "parameters": wide, "train": train}).fit(frame, progress=False)


def test_a_good_run_says_that_it_fits(run):
    fit = run.fit_judgement
    assert fit.fits
    assert fit.word == "fits"
    assert fit.sentence.startswith("fits (")
    assert list(fit.outputs) == ["angle", "velocity"]
    angle = fit.outputs["angle"]
    assert angle.r2 > 0.99
    assert angle.rmse < angle.theory_rmse < angle.guess_rmse
    assert fit.split == "validation"
    assert fit.to_pandas().loc["angle", "rmse"] == angle.rmse
    assert "theory alone" in fit._repr_html_()
    assert ">fits</strong>" in run._repr_html_()
    for again in (pickle.loads(pickle.dumps(fit)), copy.deepcopy(run).fit_judgement):
        assert again.to_pandas().equals(fit.to_pandas())


def test_a_run_that_does_not_fit_is_warned_of(model, frame):
    noise = frame.assign(angle=np.random.default_rng(1).standard_normal(len(frame)))
    with pytest.warns(gb.GreyboxWarning, match="the run does not fit") as caught:
        run = model.fit(noise, epochs=1, progress=False)
    assert caught[0].filename == __file__
    assert run.fit_judgement.word == "does not fit"
    assert not run.fit_judgement.fits


def test_an_interrupted_run_is_not_judged(model, frame):
    with pytest.raises(ZeroDivisionError):
        model.fit(frame, callback=lambda _: 1 / 0, progress=False)
    assert gb.interrupted_run().fit_judgement is None
    assert "fit" not in gb.interrupted_run()._repr_html_().replace("fD", "")


def test_what_does_not_fit_is_not_judged(sick_run):
    with pytest.warns(gb.GreyboxWarning) as caught:
        verdicts = sick_run.verdicts(progress=False)
    assert len(caught) == 1, "the same is not said twice"
    assert {one.finding for one in verdicts} == {"not judged"}
    assert "not judged" in verdicts._repr_html_()
    assert "not judged" in str(verdicts).splitlines()[1]
    axes = verdicts.plot()
    assert [text.get_text() for text in axes[0].texts] == ["no profile", "not judged"]


def test_an_estimate_keeps_to_what_fits_and_says_what_it_left(untrained_run):
    best = untrained_run.estimate("mean(abs(theory.velocity))", progress=False)
    assert best.unconstrained.theta["g"] < best.theta["g"]
    assert best.unconstrained.rmse > best.rmse
    assert best.to_dict()["unconstrained"]["theta"] == best.unconstrained.theta
    assert "R alone is lowest at" in best._repr_html_()
    assert pickle.loads(pickle.dumps(best)).unconstrained == best.unconstrained


def test_an_estimate_that_is_the_lowest_has_nothing_beside_it(run):
    each = run.estimate("corr", each=True, progress=False)
    assert each.unconstrained is None
    assert all(window.unconstrained is None for window in each.windows)


def test_landscapes_have_what_the_data_ask_for(run):
    landscape = run.landscape(g=(8, 12, 9), progress=False)
    normd = landscape["normD"]
    assert normd.matched.shape == (9,)
    assert 8 < landscape.axes[0].values[np.argmin(normd.matched)] < 12
    assert normd.matched_difference > 0
    assert landscape.rmse.matched is None
    assert np.all(normd.low <= normd.high)
    assert np.array_equal(landscape.to_xarray()["normD_low"], normd.low)
    assert landscape.grids[0].is_excluded.shape == landscape.grids[0].is_poor.shape
    assert np.array_equal(landscape.to_xarray()["normD_matched"], normd.matched)
    assert np.array_equal(landscape.to_pandas()["normD_matched"], normd.matched)
    labels = [line.get_label() for line in landscape.plot("normD")[0].get_lines()]
    assert "matched to the data" in labels
    assert pickle.loads(pickle.dumps(landscape))["normD"].matched_difference == normd.matched_difference


def test_a_model_says_what_no_data_determine(frame):
    tied = {
        **PENDULUM,
        "parameters": {**PENDULUM["parameters"], "h": {"prior": "uniform", "low": 1, "high": 2}},
        "theory": {"angle": "velocity", "velocity": "-g * h * sin(angle)"},
    }
    check = gb.Model(tied).structural_check(frame, progress=False)
    assert check.theory.tied == [gb.TiedParameters(["g", "h"], 1, ["g·h"])]
    assert check.network.absorbed == ["g", "h"]
    assert check.theory.singular_values.size == 2
    assert "only g·h is determined" in str(check)
    assert "g·h" in check._repr_html_()
    assert check.to_dict()["sentences"] == check.sentences
    again = pickle.loads(pickle.dumps(check))
    assert (again.theory.tied, again.network, again.sentences) == (check.theory.tied, check.network, check.sentences)


def test_a_structural_check_needs_data(model):
    with pytest.raises(gb.InputError, match="data"):
        model.structural_check(progress=False)


def test_poor_points_that_the_data_do_not_explain_are_refitted(frame):
    """Where a state starts is not measured, so that nobody knows whether data exclude a θ: networks learn longer."""
    hidden = {
        **PENDULUM,
        "data": {**PENDULUM["data"], "window": {"length": 12, "observed": 1}},
        "parameters": {"g": {"prior": "uniform", "low": 1, "high": 30}},
        "state": {"angle": "angle", "velocity": "velocity + 0.001 * g"},
        "observe": {"angle": "angle"},
        "train": {**PENDULUM["train"], "rate": [1e-9, 1e-9], "epochs": 1},
    }
    run = gb.Model(hidden).fit(frame, progress=False)
    grid = run.landscape(g=(1, 30, 9), refits=2, progress=False).grids[0]
    assert grid.is_excluded is None
    assert len(grid.refits) == 2
    for point in grid.refits:
        place = int(np.argmin(np.abs(grid.axes[0].values - point.theta["g"])))
        assert grid.is_poor[place]
        assert point.rmse == pytest.approx(grid.rmse.values[place])
        assert np.isfinite(point.refitted_rmse)
    assert "learning longer" in grid.adaptivity
    assert not run.landscape(g=(1, 30, 9), refits=0, progress=False).grids[0].refits


def test_a_distribution_keeps_to_what_fits_and_says_what_it_left(untrained_run):
    posterior = untrained_run.sample("mean(abs(theory.velocity))", beta=1, draws=200, progress=False)
    left = posterior.unconstrained
    assert 0 <= left.fitting_share < 1
    assert left.mean["g"] < posterior.mean["g"]
    assert left.sd["g"] > 0
    assert pickle.loads(pickle.dumps(posterior)).unconstrained == left


def test_a_distribution_that_fits_everywhere_left_nothing(run):
    assert run.sample("corr", beta=5, progress=False).unconstrained is None


def test_verdicts_begin_with_what_they_say_together(run):
    verdicts = run.verdicts(progress=False)
    assert verdicts.summary
    assert str(verdicts).splitlines()[: len(verdicts.summary)] == verdicts.summary
    assert verdicts._repr_html_().startswith("<p>")
    assert verdicts.to_dict()["summary"] == verdicts.summary
    assert pickle.loads(pickle.dumps(verdicts)).summary == verdicts.summary


def test_bands_of_the_true_correction_are_drawn(run):
    landscape = run.landscape(g=(8, 12, 9), progress=False)
    frame = landscape.to_pandas()
    assert np.array_equal(frame["normD_low"], landscape["normD"].low)
    assert np.array_equal(frame["normD_high"], landscape["normD"].high)
    (axes,) = landscape.plot("normD", error=False)
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert band.min() == pytest.approx(landscape["normD"].low.min())
    assert band.max() == pytest.approx(landscape["normD"].high.max())
