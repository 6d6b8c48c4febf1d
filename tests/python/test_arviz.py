"""Posteriors in ArviZ, whichever version is installed."""

import numpy as np
import pytest

az = pytest.importorskip("arviz")
IS_FIRST = az.__version__.startswith("0.")


@pytest.fixture(scope="module")
def posterior(run):
    return run.sample("corr", beta=5, method="nuts", chains=2, draws=100, warmup=100, progress=False)


def test_summary_agrees(posterior):
    data = posterior.to_arviz()
    assert type(data).__name__ == ("InferenceData" if IS_FIRST else "DataTree")
    summary = az.summary(data, round_to="none")
    assert float(summary.loc["g", "mean"]) == pytest.approx(posterior.mean["g"], rel=1e-6)
    assert float(summary.loc["g", "ess_bulk"]) == pytest.approx(posterior.parameters["g"].ess_bulk, rel=0.05)
    assert np.array_equal(np.asarray(data["posterior"]["g"]), posterior.draws["g"])


def test_statistics_of_the_sampler_have_their_names(posterior):
    statistics = posterior.to_arviz()["sample_stats"]
    assert {"diverging", "energy", "lp", "tree_depth", "acceptance_rate"} <= set(statistics.data_vars)
    assert int(np.asarray(statistics["diverging"]).sum()) == posterior.n_divergent


def test_its_pictures(posterior):
    data = posterior.to_arviz()
    if IS_FIRST:
        az.plot_trace(data)
        az.plot_posterior(data)
    else:
        az.plot_trace_dist(data, backend="matplotlib")
        az.plot_dist(data, backend="matplotlib")


def test_a_grid_too(run):
    assert "g" in run.sample("corr", beta=5, progress=False).to_arviz()["posterior"]
