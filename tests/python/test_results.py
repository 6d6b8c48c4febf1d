"""What a run can be asked: landscapes, verdicts, estimates, distributions, predictions."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import greybox as gb


@pytest.fixture(scope="module")
def landscape(toy_run):
    return toy_run.landscape(a=(0, 2, 11), c=9, extra=["mean(abs(network.y))"], progress=False)


def test_a_landscape_has_maps_with_axes(landscape, toy_run):
    assert [axis.name for axis in landscape.axes] == ["a", "c"]
    assert landscape.regularizers == [*toy_run.model.regularizers, "mean(abs(network.y))"]
    normd = landscape["normD"]
    assert normd.values.shape == (11, 9)
    lowest = np.unravel_index(np.argmin(normd.values), normd.values.shape)
    at = {axis.name: axis.values[place] for axis, place in zip(landscape.axes, lowest, strict=True)}
    assert normd.minima[0].theta == pytest.approx(at)
    assert normd.minima[0].value == normd.values.min()
    assert normd.spread is None


def test_a_landscape_agrees_with_predictions(landscape, toy_run):
    place = (7, 5)
    theta = {axis.name: axis.values[k] for axis, k in zip(landscape.axes, place, strict=True)}
    prediction = toy_run.predict(theta=theta, on="validation")
    assert prediction.regularizers["normD"] == pytest.approx(landscape["normD"].values[place], rel=1e-9)
    assert prediction.rmse == pytest.approx(landscape.rmse.values[place], rel=1e-9)


def test_a_landscape_as_xarray_pandas_dictionary_and_files(landscape, tmp_path):
    dataset = landscape.to_xarray()
    assert dataset["normD"].dims == ("a", "c")
    assert dataset["c"].attrs["units"] == "rad"
    assert float(dataset["normD"].sel(a=2.0, method="nearest")[0]) == landscape["normD"].values[-1, 0]
    frame = landscape.to_pandas()
    assert len(frame) == 99
    assert frame.set_index(["a", "c"])["corr"].iloc[10] == landscape["corr"].values[1, 1]
    written = landscape.to_dict()["landscapes"][0]["regularizers"]["normD"]["minima"][0]
    assert written["value"] == landscape["normD"].minima[0].value
    names = {file.name for file in landscape.save(tmp_path)}
    assert {"landscape.npz", "landscape.csv", "landscape.json", "landscape.png"} <= names


def test_a_name_that_is_not_there_is_answered_with_those_that_are(landscape, toy_run):
    with pytest.raises(KeyError, match="no regularizer `norm`; there are normD, corr"):
        landscape["norm"]
    with pytest.raises(KeyError, match="no curve `los`; there are epoch"):
        toy_run.curves["los"]
    assert "normD" in landscape.grids[0]
    assert "norm" not in landscape.grids[0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((2, 0), "argument `vary`: error: the range of `a` goes from 2 to 0\n.*its low end must be below its high end"),
        ((0, 2, 3.5), "argument `a`: error: `3.5` is no number of points\n.*a whole number, 2 or more"),
        (-3, "argument `a`: error: `-3` is no number of points"),
    ],
)
def test_ranges_that_are_none_are_refused(toy_run, given, expected):
    with pytest.raises(gb.InputError, match=expected):
        toy_run.landscape(a=given, progress=False)


def test_bands_of_several_networks(toy_run):
    one = toy_run.landscape(a=(0, 2, 5), at={"c": 0.5}, seeds=2, progress=False)
    corr = one["corr"]
    assert corr.networks.shape == (2, 5)
    assert np.allclose(corr.values, corr.networks.mean(axis=0))
    assert one.grids[0].held == {"c": 0.5}
    assert "mean of 2 networks" in one._repr_html_()
    assert "corr_spread" in one.to_xarray()


def test_planes_and_single_windows(toy_run):
    assert toy_run.landscape(plane="random", n_windows=5, progress=False).grids[0].view["kind"] == "random"
    assert toy_run.landscape("a", on=3, progress=False).grids[0].n_windows == 1


def test_verdicts_are_a_table_and_sentences(toy_run):
    verdicts = toy_run.verdicts(progress=False)
    assert verdicts.parameters == ["a", "c"]
    one = verdicts.of("c", "corr")
    assert one.sentence.startswith("c: ")
    assert one in list(verdicts)
    assert one.profile.theta.size > 10
    assert one.interval[0] <= one.best <= one.interval[1]
    frame = verdicts.to_pandas()
    assert list(frame["finding"]) == [verdict.finding for verdict in verdicts]
    assert one.sentence in str(verdicts)
    assert one.finding in verdicts._repr_html_()
    assert verdicts.to_dict()["verdicts"][0]["parameter"] == "a"
    with pytest.raises(KeyError, match="no verdict on `b`"):
        verdicts.of("b", "corr")


def test_estimates(toy_run, landscape):
    best = toy_run.estimate("normD", on="validation", progress=False)
    assert best.theta == pytest.approx(landscape["normD"].minima[0].theta, abs=0.5)
    assert best.value <= landscape["normD"].minima[0].value + 1e-9
    assert best.rmse == pytest.approx(toy_run.predict(theta=best.theta, on="validation").rmse)
    assert list(best.to_pandas()) == ["a", "c", "R", "rmse"]
    each = toy_run.estimate("centred", each=True, method="bobyqa", progress=False)
    assert len(each.windows) == each.n_windows
    assert each.theta["a"] == pytest.approx(np.mean([window.theta["a"] for window in each.windows]))
    assert "over windows" in each._repr_html_()


def test_data_used_twice_is_warned_of(toy_frame):
    run = gb.example("toy").fit(toy_frame, epochs=2, progress=False)
    run.estimate("normD", progress=False)
    with pytest.warns(gb.GreyboxWarning) as caught:
        other = run.estimate("corr", progress=False)
    assert other.warnings == [str(one.message) for one in caught]
    assert caught[0].filename == __file__


def test_distributions_on_a_grid_and_by_chains(run):
    grid = run.sample("corr", beta=5, progress=False)
    assert grid.method == "grid"
    density = grid.parameters["g"]
    assert np.sum(density.density * np.diff(density.edges)) == pytest.approx(1, rel=1e-3)
    nuts = run.sample("corr", beta=5, method="nuts", chains=2, draws=50, warmup=50, progress=False)
    assert nuts.draws["g"].shape == (2, 50)
    assert nuts.mean["g"] == pytest.approx(grid.mean["g"], abs=1)
    assert nuts.to_xarray()["g"].dims == ("chain", "draw")
    assert nuts.to_pandas().loc["g", "mean"] == nuts.mean["g"]
    with pytest.raises(gb.InputError, match="argument `beta`"):
        run.sample("corr", progress=False)


def test_predictions_and_their_parts(run, frame):
    prediction = run.predict(frame, theta={"g": 9.8})
    assert prediction["angle"].shape == (280, 5)
    assert np.allclose(prediction["theory.angle"], prediction["velocity"], atol=1e-12)
    error = np.concatenate([(prediction[name] - prediction.data[name]).ravel() for name in ("angle", "velocity")])
    assert prediction.rmse == pytest.approx(np.sqrt(np.mean(error**2)))
    assert np.allclose(prediction.data["angle"][0], frame["angle"][1:6])
    dataset = prediction.to_xarray()
    assert dataset["angle"].dims == ("window", "step")
    assert float(dataset["g"][0]) == 9.8
    assert len(prediction.to_pandas()) == 280 * 5
    with pytest.raises(KeyError, match="no variable `angel`; there are angle"):
        prediction["angel"]


def test_points_of_an_algebraic_model(toy_run):
    prediction = toy_run.predict(theta={"a": 1, "c": 0}, on={"x": (-1, 1, 5)})
    assert np.allclose(prediction.data["x"][:, 0], np.linspace(-1, 1, 5))
    assert np.allclose(prediction["theory.y"][:, 0], np.sin(np.linspace(-1, 1, 5)), atol=1e-6)
    assert np.isnan(prediction.rmse)
    assert np.isnan(prediction.data["y"]).all()


def test_refit(run):
    fixed = run.refit({"g": 10}, epochs=5, progress=False)
    assert fixed.theta == {"g": 10}
    assert fixed.predict().theta[0, 0] == 10


def test_comparisons(toy_frame):
    comparison = gb.compare(gb.example("toy"), toy_frame, lambdas=[1e-2], trials=2, epochs=3, progress=False)
    assert [row.mode for row in comparison.rows] == ["adaptive", "inductive", "transductive"]
    assert all(row.trials == 2 for row in comparison.rows)
    assert list(comparison.to_pandas()["lambda"]) == [0.01] * 3
    assert "adaptive" in comparison._repr_html_()


def test_comparisons_over_folds(model, frame):
    comparison = gb.compare(model, frame, folds="series", trials=2, epochs=1, progress=False)
    assert [fold.fold for fold in comparison.folds] == [0, 1]
    assert all(fold.tested_on and fold.outputs for fold in comparison.folds)
    assert [row.mode for row in comparison.rows] == ["adaptive"]
    assert np.isfinite(comparison.rows[0].log_likelihood)
    with pytest.raises(gb.InputError, match="no folds by 'window'"):
        gb.compare(model, frame, folds="window")


@pytest.mark.parametrize("kind", ["landscape", "verdicts", "estimate", "posterior", "prediction"])
def test_results_pickle_and_copy(run, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = {
            "landscape": lambda: run.landscape(g=5, progress=False),
            "verdicts": lambda: run.verdicts(progress=False),
            "estimate": lambda: run.estimate("corr", progress=False),
            "posterior": lambda: run.sample("corr", beta=2, progress=False),
            "prediction": lambda: run.predict(theta={"g": 9}),
        }[kind]()
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert type(again) is type(result)
            assert again.to_dict() == result.to_dict()
            assert repr(again) == repr(result)


def test_a_copy_has_memory_of_its_own(run):
    one = run.predict(theta={"g": 9})
    other = copy.deepcopy(one)
    other["angle"][:] = 0
    assert not np.any(one["angle"][0] == 0)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda r: r.landscape(h=(1, 2)), "argument `h`: error: neither a parameter of the model nor an argument"),
        (lambda r: r.landscape(g=5, seedz=2), "did you mean `seed"),
        (lambda r: r.landscape(g=5, seeds="two"), "argument `seeds`: error: 'two' has the wrong type"),
        (lambda r: r.landscape(g=5, threads=-1), "argument `threads`"),
        (lambda r: r.landscape(at=[1]), "argument `at`: error: .* has no names"),
        (lambda r: r.verdicts(n_windows=2.5), "argument `n_windows`: error: 2.5 has the wrong type"),
        (lambda r: r.report(h=3), "neither a parameter of the model nor an argument of `report`"),
        (lambda r: r.estimate(["corr"]), "argument `regularizer`: .*\n.*give a text"),
        (lambda r: r.sample("corr", beta="much"), "argument `beta`: .*\n.*give a number"),
        (lambda r: r.predict(theta=[9.8]), "argument `theta`: error: .* has no names"),
        (lambda r: r.predict(theta={"g": "9.8"}), "`9.8` of `g` is no number"),
        (lambda r: r.landscape(g=(1, 2, 3, 4)), "argument `g`: error"),
        (lambda r: r.landscape(g=(12, 8)), "g"),
        (lambda r: r.landscape(on="tset"), "`tset` is no split"),
        (lambda r: r.landscape(on=-1), "counted from 0"),
        (lambda r: r.landscape(plane="pcb"), "is no plane"),
        (lambda r: r.landscape(at="best"), "argument `at`"),
        (lambda r: r.estimate("cor"), "did you mean `corr`"),
        (lambda r: r.estimate("corr", method="newton"), "argument `method`"),
        (lambda r: r.predict(theta={"h": 1}), "h"),
        (lambda r: r.evaluator({"g": 99}), "g"),
        (lambda r: gb.open("nowhere"), "nowhere"),
        (lambda r: gb.open(3), "argument `folder`: error: int is no path"),
        (lambda r: r.landscape(3), "argument `parameters`: error: `3` is no name of a parameter"),
        (lambda r: r.landscape(g=("a", "b")), "argument `g`: error: .* is no range"),
        (lambda r: r.landscape(g=5, extra="mean(netwrk)"), "argument `extra`:1:6: error: unknown name `netwrk`"),
        (lambda r: r.predict(theta={"g": 9}, extra=["mean(netwrk)"]), "argument `extra`:1:6"),
        (lambda r: r.landscape(g=5, extra=3), "argument `extra`: error: `3` is no text"),
        (lambda r: r.landscape(g=5, with_runs="x"), "argument `with_runs`: error: `x` is no run"),
        (lambda r: r.landscape(g=5, cancel=True), r"argument `cancel`: error: bool has no is_set\(\)"),
        (lambda r: r.landscape(g=5, progress="no"), "argument `progress`"),
        (lambda r: r.landscape(on=2.5), "argument `on`: error: `2.5` chooses no windows"),
        (lambda r: r.landscape(on=(0, "noon")), "argument `on`: error: `noon` is no number"),
        (lambda r: r.estimate("corr", rate=3), "argument `rate`: error: `3` is no pair of numbers"),
        (lambda r: r.simulate("start"), "argument `start`: error: `start` is no start"),
        (lambda r: r.augment({"g": "much"}), "argument `g`: error: `much` is no range"),
        (lambda r: r.evaluator({"g": 9}).jacobian(0, [0, 1], of="totl"), "argument `of`: error: `totl` is no part"),
        (lambda r: r.model.fit(), "argument `data`: error: the model names no data file"),
        (lambda r: r.model.structural_check({"x": [1]}, draws=0), "argument `draws`"),
        (lambda r: gb.Model.from_text(3), "argument `text`: error: int is no text"),
        (lambda r: gb.compare("toy"), "argument `model`: error: str is no model"),
        (lambda r: gb.compare(r.model, lambdas=["a"]), "argument `lambdas`"),
    ],
)
def test_wrong_calls_say_what_is_wrong(run, ask, expected):
    with pytest.raises(gb.InputError, match=expected):
        ask(run)


def test_predictions_need_a_theta_until_there_is_an_estimate(model, frame):
    fresh = model.fit(frame, epochs=1, progress=False)
    with pytest.raises(gb.InputError, match="argument `theta`"):
        fresh.predict()
    best = fresh.estimate("corr", progress=False)
    np.testing.assert_allclose(fresh.predict().theta[:, 0], best.theta["g"], rtol=1e-6)


def test_runs_show_themselves(run):
    assert repr(run) == "<greybox.Run of pendulum: finished>"
    html = run._repr_html_()
    assert "in memory" in html
    assert "normD" in html
    assert run.curves.to_pandas().shape[0] == 30


def test_simulation_explanation_and_theories(toy_run: gb.Run) -> None:
    assert toy_run.predict(theta={"a": 1, "c": 0.2}).observed == ["y"]
    explanation = toy_run.explain(theta={"a": 1, "c": 0.2}, progress=False)
    assert set(explanation.shares) == {"y"}
    assert "a * sin(x + c)" in explanation.formulas["y"].theory
    assert "-extended" in explanation.extended_model(toy_run)
    with pytest.raises(gb.InputError, match="no origin of θ"):
        toy_run.explain(theta="nowhere", progress=False)  # type: ignore[arg-type]
    with pytest.raises(gb.InputError, match="no \\[state\\] to simulate"):
        toy_run.simulate({"y": 1}, progress=False)
    with pytest.raises(gb.InputError, match="nothing to be compared with"):
        gb.compare_theories([toy_run], progress=False)
