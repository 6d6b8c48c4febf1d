#!/usr/bin/env python3
"""APHYNITY as its authors run it (Yin et al. 2021): R at the states of the data, their settings, their three data sets.

Prints log10 of the mean squared error of forecasts from the first snapshot of unseen series, the mean relative error of
the parameters in per cent, and R on the test data, for each physics and seed.
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import aphynity_models as models  # noqa: E402
import made_data  # noqa: E402

TRUTH = {"pendulum": made_data.PENDULUM, "reaction-diffusion": made_data.REACTION, "wave": made_data.WAVE}
LENGTH = {"pendulum": 40, "reaction-diffusion": 30, "wave": 25}


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def make_data(name, folder, options):
    ending = ".csv" if name == "pendulum" else ".npz"
    for seed, part in enumerate(("data", "test")):
        file, rng = folder / (part + ending), np.random.default_rng(seed)
        if name == "pendulum":
            made_data.pendulum(file, options.series, rng)
        elif name == "reaction-diffusion":
            made_data.reaction_diffusion(file, options.series, rng, options.grid)
        else:
            made_data.wave(file, options.series, rng, options.grid)
    return folder / ("test" + ending)


def solver_error(file):
    """log10 of the mean squared error of the true pendulum, solved as the models are: one step of the 3/8 rule per snapshot."""
    states = np.loadtxt(file, delimiter=",", skiprows=1)[:, 2:].reshape(-1, LENGTH["pendulum"], 2)
    stiffness, friction = made_data.PENDULUM.values()

    def derivative(x):
        return np.stack([x[:, 1], -stiffness * np.sin(x[:, 0]) - friction * x[:, 1]], 1)

    state, step, squares = states[:, 0], 0.5, []
    for measured in states.swapaxes(0, 1)[1:]:
        k1 = derivative(state)
        k2 = derivative(state + step * k1 / 3)
        k3 = derivative(state + step * (k2 - k1 / 3))
        k4 = derivative(state + step * (k1 - k2 + k3))
        state = state + step * (k1 + 3 * k2 + 3 * k3 + k4) / 8
        squares.append(((state - measured) ** 2).mean())
    return math.log10(np.mean(squares))


def model_text(name, physics, options):
    make = getattr(models, name.replace("-", "_"))
    return make(physics, length=LENGTH[name], epochs=options.epochs, size=options.grid, n_train=options.series,
                rate=options.rate, activation=options.activation)


def result(name, physics, seed, test, options):
    """(log10 MSE, parameter error in per cent or None, R, the parameters)"""
    folder = test.parent
    model = folder / f"{physics}.toml"
    model.write_text(model_text(name, physics, options))
    run = folder / f"{physics}-{seed}"
    kept = run / "result.json"
    if not kept.exists():
        call(options.greybox, "train", model, "--mode", "aphynity", "-o", run, "--seed", seed, "--threads", options.threads,
             "--overwrite")
        answer = json.loads(call(options.greybox, "predict", run, "--data", test, "--json"))
        kept.write_text(json.dumps(answer))
    answer = json.loads(kept.read_text())
    theta = {k: v for k, v in json.loads((run / "run.json").read_text())["theta"].items() if k in TRUTH[name]}
    errors = [abs(value - TRUTH[name][k]) / TRUTH[name][k] for k, value in theta.items()]
    return (2 * math.log10(answer["rmse"]), 100 * statistics.mean(errors) if errors else None,
            answer["R"]["R"], theta)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("greybox", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder of data and runs, which are used again")
    parser.add_argument("--data", default="pendulum,reaction-diffusion,wave")
    parser.add_argument("--physics", default="incomplete,complete,none")
    parser.add_argument("--epochs", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--series", type=int, default=25, help="for training; as many more for testing")
    parser.add_argument("--grid", type=int, default=32, help="points along a side of the fields")
    parser.add_argument("--rate", type=float, nargs="+", default=[1e-3], help="of the pendulum; two to lower it")
    parser.add_argument("--activation", default="relu", help="of the pendulum's network")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    print(f"{'data':20} {'physics':12} {'log10 MSE':>10} {'param. %':>9} {'R':>10}  parameters")
    for name in options.data.split(","):
        folder = options.keep / "-".join(map(str, [name, options.series, options.grid, options.epochs, options.activation, *options.rate]))
        folder.mkdir(parents=True, exist_ok=True)
        test = make_data(name, folder, options)
        if name == "pendulum":
            print(f"{name:20} {'true':12} {solver_error(test):10.2f}  the solver alone")
        for physics in options.physics.split(","):
            for seed in range(options.seeds):
                error, of_theta, size, theta = result(name, physics, seed, test, options)
                shown = " ".join(f"{k}={v:.4g}" for k, v in theta.items())
                print(f"{name:20} {physics:12} {error:10.2f} {'–' if of_theta is None else f'{of_theta:.2f}':>9} {size:10.3g}  {shown}",
                      flush=True)


if __name__ == "__main__":
    main()
