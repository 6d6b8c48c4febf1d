#!/usr/bin/env python3
"""Priors whose own parameters are learned through their draws: where they move, for models with a known answer.

For each model, kind of prior and λ: centre and spread of the fitted prior and the test error there, beside the θ at which R is
lowest over a prior that stays as it is, and that of mode inductive. Means ± standard errors over seeds.
"""
import argparse
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

LINE = """name = "{name}"
scale = "none"

[data]
file  = "{name}.csv"
split = {{ train = 0.5, validation = 0, test = 0.5, by = "window", shuffle = false }}

[parameters]
{parameters}

[theory]
y = "{theory}"

[network.fD]
inputs  = ["x", {inputs}]
hidden  = [16, 16]
activation = "tanh"
outputs = ["y"]

[regularizers]
normD = "mean(norm2(network))"

[train]
regularizer = "normD"
lambda = 0.1
recipe = "paper"
epochs = 400
batch  = 20
rate   = [1e-2, 1e-3]
weight_decay = 0
"""

# All begin about as wide, and off the truth.
KINDS = {
    "uniform": 'prior = "uniform", low = {low}, high = {high}',
    "normal": 'prior = "normal", mean = {mean}, sd = {sd}',
    "lognormal": 'prior = "lognormal", mean = {log_mean}, sd = 0.5',
}


def prior(kind, learned, low, high, mean):
    text = KINDS[kind].format(low=low, high=high, mean=mean, sd=(high - low) / 4, log_mean=float(np.log(mean)))
    return "{ " + text + (", learned = true }" if learned else " }")


def line_data(file, _options):
    """y = 1.5 x + x² - mean(x²), first at the points to learn from, then at others. Points and noise are even about 0, so that
    what the theory lacks is orthogonal to it, and normD is lowest at the truth."""
    rng, rows = np.random.default_rng(0), []
    for n in (100, 99):
        x = np.linspace(-1, 1, n + n % 2)
        noise = rng.standard_normal(len(x))
        y = 1.5 * x + x**2 - np.mean(x**2) + 0.05 * (noise + noise[::-1]) / 2**0.5
        rows += [f"{a:.6f},{b:.6f}\n" for a, b in zip(x, y)]
    file.write_text("x,y\n" + "".join(rows))


def line(kind, learned):
    return LINE.format(name="line", theory="a * x", inputs='"a"',
                       parameters=f"a = {prior(kind, learned, 0, 4, 3)}")


def tied(kind, learned):
    return LINE.format(name="tied", theory="(a + b) * x", inputs='"a", "b"',
                       parameters=f"a = {prior(kind, learned, 0, 4, 2)}\nb = {prior(kind, learned, 0, 4, 1)}")


def pendulum_data(file, options):
    call(options.greybox, "data", "damped-pendulum", "-o", file)


def pendulum(kind, learned):
    text = (EXAMPLES / "damped-pendulum.toml").read_text()
    return re.sub(r"stiffness = .*", f"stiffness = {prior(kind, learned, 0.1, 0.5, 0.4)}", text)


# Data, model, and what is known of it: the truth, and the lowest normD where that is another θ.
MODELS = {"line": (line_data, line), "tied": (line_data, tied), "damped-pendulum": (pendulum_data, pendulum)}


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def train(options, name, kind, learned, strength, epochs, seed, *more):
    folder = options.keep / name
    model = folder / f"{kind}-{'learned' if learned else 'given'}.toml"
    model.write_text(MODELS[name][1](kind, learned))
    run = folder / "-".join([model.stem, strength, str(epochs), str(seed), *(m.strip("-") for m in more)])
    if not (run / "run.json").exists():
        call(options.greybox, "train", model, "--lambda", strength, "--epochs", epochs, "--seed", seed, "--threads", 1, "-o", run,
             "--overwrite", *more)
    return run


def centre_and_sd(kind, fitted):
    """Middle of a fitted prior and its standard deviation; for lognormal ones the median, and the sd of the logarithm."""
    if kind == "uniform":
        return (fitted["low"] + fitted["high"]) / 2, (fitted["high"] - fitted["low"]) / 12**0.5
    return np.exp(fitted["mean"]) if kind == "lognormal" else fitted["mean"], fitted["sd"]


def error_at(options, run, theta):
    done = call(options.greybox, "predict", run, "--on", "test", "--theta", ",".join(f"{k}={v}" for k, v in theta.items()), "--json",
                "--threads", 1)
    return json.loads(done)["rmse"]


def learned(options, name, kind, strength, epochs, seed):
    run = train(options, name, kind, True, strength, epochs, seed)
    fits = json.loads((run / "run.json").read_text())["priors"]
    found = {p: centre_and_sd(kind, fitted) for p, fitted in fits.items()}
    theta = {p: float(centre) for p, (centre, _) in found.items()}
    return theta, {p: sd for p, (_, sd) in found.items()}, error_at(options, run, theta)


def given(options, name, kind, strength, epochs, seed):
    """Equations (4) and (5): the prior stays, and θ is where R is lowest."""
    run = train(options, name, kind, False, strength, epochs, seed)
    done = json.loads(call(options.greybox, "estimate", run, "--regularizer", "normD", "--on", "train", "--json", "--threads", 1))
    return done["theta"], {}, error_at(options, run, done["theta"])


def common(options, name, kind, strength, epochs, seed):
    run = train(options, name, kind, False, strength, epochs, seed, "--mode", "inductive")
    theta = json.loads((run / "run.json").read_text())["theta"]
    return theta, {}, error_at(options, run, theta)


WAYS = {"learned": learned, "given": given, "inductive": common}


def shown(values, digits=3):
    spread = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} ± {spread:.{digits}f}"


def report(options, name, way, kind, strength, epochs):
    thetas, sds, errors = zip(*[WAYS[way](options, name, kind, strength, epochs, seed) for seed in range(options.seeds)])
    for p in thetas[0]:
        sd = shown([s[p] for s in sds], 4) if sds[0] else "–"
        print(f"{name:16} {way:10} {kind:10} {strength:>6} {epochs:>6}  {p:10} {shown([t[p] for t in thetas]):>16} {sd:>18} "
              f"{shown(errors, 4):>18}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("greybox", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder of data and runs, which are used again")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--lambdas", default="0.01,0.1,1")
    parser.add_argument("--epochs", default="500,2000")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'model':16} {'prior is':10} {'kind':10} {'λ':>6} {'epochs':>6}  {'parameter':10} {'θ':>16} {'sd of the prior':>18} {'test RMSE':>18}")
    for name in options.models.split(","):
        (options.keep / name).mkdir(parents=True, exist_ok=True)
        data = options.keep / name / f"{name}.csv"
        if not data.exists():
            MODELS[name][0](data, options)
        for way in options.ways.split(","):
            for kind in options.kinds.split(",") if way == "learned" else ["uniform"]:
                for strength in options.lambdas.split(","):
                    for epochs in options.epochs.split(","):
                        report(options, name, way, kind, strength, epochs)


if __name__ == "__main__":
    main()
