"""Simulations, explanations, theories side by side, residuals: like all other results."""

import copy
import datetime
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import greybox as gb
from conftest import PENDULUM


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def simulation(run):
    return run.simulate(3, theta={"g": 9.8}, progress=False)


@pytest.fixture(scope="module")
def explanation(run):
    return run.explain(theta={"g": 9.8}, progress=False)


@pytest.fixture(scope="module")
def theories(run, frame):
    weaker = {**PENDULUM, "name": "spring", "theory": {"angle": "velocity", "velocity": "-g * angle"}}
    return gb.compare_theories([run, gb.Model(weaker).fit(frame, seed=1, progress=False)], progress=False)


@pytest.fixture(scope="module")
def prediction(run):
    return run.predict(theta={"g": 9.8}, on="test")


@pytest.mark.parametrize("kind", ["simulation", "explanation", "theories", "prediction"])
def test_they_pickle_copy_show_and_draw_themselves(request, kind, tmp_path):
    result = request.getfixturevalue(kind)
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert type(again) is type(result)
        assert again.to_dict() == result.to_dict()
        assert repr(again) == repr(result)
    assert "<" in result._repr_html_()
    assert len(result.to_pandas())
    for ax in result.plot():
        assert ax.get_title(loc="left")
        ax.figure.canvas.draw()
    if kind == "prediction":
        result.save(tmp_path / "prediction.csv")
    else:
        assert all(file.stat().st_size for file in result.save(tmp_path))


def test_a_simulation_from_data_has_what_was_measured(simulation, frame):
    time, values = simulation.measured["angle"]
    assert np.allclose(values, np.interp(time, frame["time"][:40], frame["angle"][:40]))
    assert simulation.time[0] == pytest.approx(0.15)
    (axes,) = simulation.plot("angle")
    drawn = {line.get_label(): line for line in axes.get_lines()}
    assert np.array_equal(drawn["simulated"].get_ydata(), simulation["angle"])
    assert np.array_equal(drawn["data"].get_ydata(), values)
    band = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert band.min() == pytest.approx(simulation.low["angle"].min())
    assert [ax.get_title(loc="left") for ax in simulation.plot()] == [
        "angle",
        "velocity",
        "d angle/dt",
        "d velocity/dt",
    ]
    with pytest.raises(KeyError, match="no variable `angel`; there are angle"):
        simulation.plot("angel")


def test_a_simulation_as_xarray(simulation):
    dataset = simulation.to_xarray()
    assert dataset["angle"].dims == ("time",)
    assert dataset.attrs["g"] == 9.8
    assert np.array_equal(dataset["angle.low"], simulation.low["angle"])
    assert float(dataset["angle"].sel(time=0.4, method="nearest")) in simulation["angle"]


def test_a_simulation_on_axes_of_ones_own(run):
    simulation = run.simulate({"angle": 1, "velocity": 0}, horizon=1, bands=False, theta={"g": 9.8}, progress=False)
    assert simulation.measured == {}
    assert "coverage" not in simulation._repr_html_()
    _, given = plt.subplots()
    assert simulation.plot("network.velocity", ax=given) == [given]
    with pytest.raises(ValueError, match="draws 4 panels, and `ax` has 1 axes"):
        simulation.plot(ax=given)


@pytest.fixture(scope="module")
def dated_run(frame):
    dates = pd.Timestamp("2024-03-01", tz="Europe/Berlin") + pd.to_timedelta(frame["time"], "h")
    return gb.Model(PENDULUM).fit(frame.assign(time=dates), time_unit="h", seed=1, epochs=5, progress=False)


def test_dates_go_in_and_come_out_of_simulations(dated_run):
    start = pd.Timestamp("2024-05-01 12:00", tz="Europe/Berlin")
    simulation = dated_run.simulate(
        {"angle": 1, "velocity": 0},
        start_time=start,
        horizon=datetime.timedelta(minutes=30),
        step=np.timedelta64(3, "m"),
        theta={"g": 9.8},
        progress=False,
    )
    assert simulation.time[0] == np.datetime64("2024-05-01T10:00")
    assert simulation.time[-1] == np.datetime64("2024-05-01T10:30")
    assert len(simulation) == 11
    simulation.plot()[0].figure.canvas.draw()
    midnight = pd.Timestamp("2024-03-01 00:00", tz="Europe/Berlin")
    for given in (midnight, "2024-02-29T23:00Z", np.datetime64("2024-02-29T23:00")):
        from_row = dated_run.simulate(("2", given), theta={"g": 9.8}, progress=False)
        assert from_row.time[0] == np.datetime64("2024-02-29T23:00")
        assert from_row.measured["angle"][0].dtype.kind == "M"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"start_time": "soon"}, "argument `start_time`: error: `soon` is no date"),
        ({"start_time": 3}, "argument `start_time`: error: `3` is no date"),
        ({"with_runs": "runs/x"}, "argument `with_runs`: error: `runs/x` is no run"),
        ({"horizon": "long"}, "argument `horizon`: error: 'long' has the wrong type"),
        ({"horizon": -1}, "argument `horizon`"),
        ({"level": 2}, "argument `level`"),
        ({"inputs": 3}, "int is no table"),
    ],
)
def test_wrong_simulations_say_what_is_wrong(dated_run, options, expected):
    with pytest.raises(gb.InputError, match=expected):
        dated_run.simulate({"angle": 1, "velocity": 0}, theta={"g": 9.8}, progress=False, **options)


def test_numbers_are_no_dates(run):
    with pytest.raises(gb.InputError, match="argument `start_time`: error: `2024-01-01` is no number"):
        run.simulate({"angle": 1, "velocity": 0}, start_time="2024-01-01", theta={"g": 9.8}, progress=False)
    with pytest.raises(gb.InputError, match="argument `horizon`: error: the run's times are numbers"):
        run.simulate(3, horizon=datetime.timedelta(hours=1), theta={"g": 9.8}, progress=False)


def test_an_explanation_draws_the_strongest_dependence_first(explanation):
    axes = explanation.plot("velocity")
    strengths = {one.variable: one.strength for one in explanation.dependences if one.component == "velocity"}
    shown = [ax.get_xlabel() for ax in axes[:-1]]
    assert shown == sorted(strengths, key=lambda name: -strengths[name])
    line = next(line for line in axes[0].get_lines() if line.get_label() == "mean")
    drawn = next(one for one in explanation.dependences if one.variable == shown[0])
    assert np.array_equal(line.get_ydata(), drawn.mean)
    share = explanation.components["velocity"]
    assert share.share == pytest.approx(share.network**2 / (share.network**2 + share.theory**2))
    assert np.array_equal(axes[-1].get_lines()[1].get_ydata(), share.network_over_time)
    assert explanation.to_pandas().loc[0, "formula"] == explanation.formulas["velocity"].formula


def test_theories_have_verdicts_and_a_best(theories):
    assert theories.best.behind_best == 0
    one = theories.theories[0]
    assert one.regularizer == "normD"
    assert one.findings == {verdict.parameter: verdict.finding for verdict in one.verdicts}
    assert one.verdicts[0].sentence
    axes = theories.plot()
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["pendulum", "spring"]
    assert [bar.get_width() for bar in axes[1].patches] == [one.network_share for one in theories.theories]


@pytest.mark.parametrize("given", ["runs", [1, 2], 3])
def test_what_is_no_run_is_said(given):
    with pytest.raises(gb.InputError, match="argument `runs`: error: .* is no run"):
        gb.compare_theories(given, progress=False)


def test_residuals_are_reported_and_drawn(prediction):
    report = prediction.residuals["velocity"]
    assert not report.is_standardised
    rest = (prediction.data["velocity"] - prediction["velocity"]).ravel()
    axes = prediction.plot_residuals("velocity")
    assert np.allclose(np.sort(axes[0].get_lines()[0].get_ydata()), np.sort(rest))
    assert axes[1].get_title(loc="left") == "distribution of velocity"
    assert len(prediction.plot_residuals()) == 4
    for text in report.findings:
        assert text.partition(" ")[0] in prediction._repr_html_()


def test_noise_that_was_estimated_is_known(frame):
    noisy = {**PENDULUM, "noise": {"angle": {"kind": "normal", "sd": "estimate"}}}
    run = gb.Model(noisy).fit(frame, epochs=5, seed=1, progress=False)
    assert set(run.noise) == {"angle", "velocity"}
    assert all(value > 0 for value in run.noise.values())
    assert "noise" in run._repr_html_()
    prediction = run.predict(theta={"g": 9.8})
    assert np.isfinite(prediction.negative_log_likelihood)
    assert prediction.residuals["angle"].is_standardised
    assert "negative log-likelihood" in prediction._repr_html_()
    assert pickle.loads(pickle.dumps(run)).noise == run.noise


def test_constraints_of_a_network_hold_in_python(frame):
    network = {"inputs": ["angle", "velocity"], "hidden": [8], "activation": "tanh", "outputs": ["velocity"]}
    odd = {**PENDULUM, "network": {"fD": {**network, "odd": ["velocity"]}}}
    run = gb.Model(odd).fit(frame, epochs=3, seed=1, progress=False)
    f = run.evaluator({"g": 9.8})
    forth, back = f.network(0, [0.3, 2.0]), f.network(0, [0.3, -2.0])
    assert forth[1] == pytest.approx(-back[1])
    assert forth[1] != 0
    assert f.network(0, [0.3, 0.0])[1] == pytest.approx(0)
    assert pickle.loads(pickle.dumps(run)).model == run.model
    wrong = {**PENDULUM, "network": {"fD": {**network, "odd": ["speed"]}}}
    with pytest.raises(gb.InputError, match="speed"):
        gb.Model(wrong)


@pytest.mark.parametrize("ask", [lambda r, e: r.predict(theta={"g": 9.8}, extra=e).regularizers])
def test_one_expression_need_not_be_a_list(run, ask):
    assert "mean(norm2(theory))" in ask(run, "mean(norm2(theory))")
