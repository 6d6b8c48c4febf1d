"""Small models and runs that the tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import greybox as gb

# A shell that runs the tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

mpl.use("Agg")

PENDULUM = {
    "name": "pendulum",
    "about": "A pendulum whose friction the theory does not know",
    "data": {
        "window": {"length": 6, "observed": 1},
        "split": {"train": 0.5, "validation": 0.25, "test": 0.25, "by": "series"},
    },
    "parameters": {"g": {"prior": "uniform", "low": 8, "high": 12, "unit": "m/s^2", "about": "gravity"}},
    "state": {"angle": "angle", "velocity": "velocity"},
    "theory": {"angle": "velocity", "velocity": "-g * sin(angle)"},
    "network": {
        "fD": {"kind": "mlp", "inputs": ["sin(angle)", "velocity", "g"], "hidden": [8], "outputs": ["velocity"]}
    },
    "observe": {"angle": "angle", "velocity": "velocity"},
    "solver": {"method": "rk4"},
    "regularizers": {"normD": "mean(norm2(network))", "corr": "abs(mean(dot(theory, network)))"},
    "train": {"regularizer": "normD", "lambda": 1e-3, "epochs": 30, "batch": 20, "rate": [1e-2, 1e-3]},
}


def swings(n_series: int = 8, n_steps: int = 40) -> pd.DataFrame:
    """Swings of a pendulum with g = 9.81 and friction 0.5."""
    rows = []
    for series in range(n_series):
        angle, velocity = 0.3 + 0.2 * series, 0.0
        for step in range(n_steps):
            rows.append((series, 0.05 * step, angle, velocity))
            for _ in range(50):
                velocity += 0.001 * (-9.81 * np.sin(angle) - 0.5 * velocity)
                angle += 0.001 * velocity
    return pd.DataFrame(rows, columns=["series", "time", "angle", "velocity"])


@pytest.fixture(scope="session")
def frame() -> pd.DataFrame:
    return swings()


@pytest.fixture(scope="session")
def model() -> gb.Model:
    return gb.Model(PENDULUM, name="pendulum")


@pytest.fixture(scope="session")
def run(model: gb.Model, frame: pd.DataFrame) -> gb.Run:
    """Asked by many tests; what it records of them (its ledger) none of them looks at."""
    return model.fit(frame, seed=1, progress=False)


@pytest.fixture(scope="session")
def toy_frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.uniform(-np.pi, np.pi, 90)
    return pd.DataFrame({"x": x, "y": np.sin(x) + np.cos(x) + 0.1 * rng.standard_normal(90)})


@pytest.fixture(scope="session")
def toy_run(toy_frame: pd.DataFrame) -> gb.Run:
    return gb.example("toy").fit(toy_frame, epochs=500, seed=0, progress=False)


@pytest.fixture(scope="session")
def tool() -> Path:
    return Path(gb.__file__).parent / "bin" / "greybox"
