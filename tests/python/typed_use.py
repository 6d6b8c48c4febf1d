"""A person's typed script, read by mypy --strict and never run: the types are those that its author expects."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.integrate import solve_ivp

import greybox as gb


def fit(frame: pd.DataFrame, seed: int) -> gb.Run:
    model: gb.Model = gb.Model({"name": "x"})
    losses: list[float] = []

    def watch(epoch: gb.Epoch) -> None:
        losses.append(epoch.loss)

    return model.fit(frame, seed=seed, mode="adaptive", precision="float", callback=watch, folder=Path("runs"))


def main() -> None:
    run = fit(pd.DataFrame({"x": [1.0]}), 3)
    landscape = run.landscape(g=(8, 12, 101), extra=["mean(abs(network.velocity))"], seeds=3)
    axes = landscape.plot(["normD"], ax=plt.gca())
    axes[0].set_title("x")
    values: npt.NDArray[np.float64] = landscape["normD"].values
    best: dict[str, float] = run.estimate("corr").theta
    for verdict in run.verdicts(seeds=3):
        text: str = verdict.finding
        print(text, verdict.interval)
    posterior = run.sample("corr", beta=10)
    mean: float = posterior.mean["g"]
    table: pd.DataFrame = run.predict(theta=best).to_pandas()
    cube = run.predict(theta="estimate").to_xarray()
    print(cube["angle"].mean().item())
    f: gb.Evaluator = run.evaluator(best)
    solution = solve_ivp(f, (0, 1), f.initial_state(), jac=f.jacobian)
    print(values.shape, mean, table.shape, solution.y)
    try:
        gb.open("x").resume()
    except gb.Interrupted as stop:
        stop.run.resume()
    except gb.InputError as error:
        print([one.help for one in error.diagnostics])
    comparison = gb.compare(run.model, lambdas=[1e-3, 1e-2], trials=20)
    for row in comparison.rows:
        print(row.lambda_, row.loss)
    comparison.plot()
    print(run.record["epochs_done"] if run.record else 0)
    report: Path = run.report("report.html")
    run.save(report.parent)
