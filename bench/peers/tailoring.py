#!/usr/bin/env python3
"""Pendulums of many stiffnesses, each to be told from its first half: one stiffness for all, or steps of mode tailored down the
error of the first half of every window (MAML, with a parameter of the theory as what adapts). With --friction LOW:HIGH pendulums
differ in their friction too, and scale and shift of the network's layers adapt with the stiffness, or do not.

Prints the RMSE of the second half of windows of other pendulums, that of their stiffness, and seconds of processor time, as mean ± standard
error over seeds.
"""
import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

from made_data import simulate

OBSERVED, LENGTH, STRIDE = 11, 21, 10
MODEL = """
name = "pendulums"

[data]
file   = "{data}"
window = {{ length = 21, observed = 11, stride = 10 }}
split  = {{ train = 0.5, validation = 0.2, test = 0.3, by = "series" }}

[parameters]
stiffness = {{ prior = "uniform", low = 0.05, high = 1.5, start = 0.5 }}

[state]
angle    = "angle"
velocity = "velocity"

[theory]
angle    = "velocity"
velocity = "-stiffness * sin(angle)"

{networks}
[observe]
angle    = "angle"
velocity = "velocity"

[solver]
method = "rk4"
step   = 0.5

[regularizers]                        # what is known of a window when it is to be predicted: its first half
known = "mean(norm2(solution(angle) - window.angle) + norm2(solution(velocity) - window.velocity)) / 22"

[train]
regularizer = "known"
lambda   = 0
epochs   = 150
batch    = 20
rate     = [1e-2, 1e-4]
tailored = {{ steps = {steps}, rate = {rate}, second_order = {second_order} }}
"""
INPUTS = '["sin(angle)", "cos(angle)", "velocity"]'
ORDINARY = f"""[network.friction]
inputs     = {INPUTS}
hidden     = [32, 32]
activation = "{{activation}}"
outputs    = ["velocity"]
"""
ADAPTED_LAYERS = f"""[latent]
scale0 = {{ size = 32, adapts = true, prior_mean = 1, prior_sd = 0.3 }}
shift0 = {{ size = 32, adapts = true, prior_sd = 0.3 }}
scale1 = {{ size = 32, adapts = true, prior_mean = 1, prior_sd = 0.3 }}
shift1 = {{ size = 32, adapts = true, prior_sd = 0.3 }}

[network.layer0]
inputs  = {INPUTS}
hidden  = []
outputs = ["z[32]"]

[network.layer1]
inputs  = ["tanh(scale0 * layer0.z + shift0)"]
hidden  = []
outputs = ["z[32]"]

[network.friction]
inputs  = ["tanh(scale1 * layer1.z + shift1)"]
hidden  = []
outputs = ["velocity"]
"""
# Mode, steps, whether learning knows what they owe to the weights, and whether layers adapt.
WAYS = [("inductive", 1, False, False), ("tailored", 1, False, False), ("tailored", 1, True, False),
        ("tailored", 5, False, False), ("tailored", 5, True, False), ("tailored", 20, False, False)]
WAYS_OF_FRICTION = [("inductive", 1, False, False), ("tailored", 5, False, False), ("tailored", 5, False, True),
                    ("tailored", 1, True, False), ("tailored", 1, True, True), ("tailored", 5, True, False),
                    ("tailored", 5, True, True)]


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def make_pendulums(file, seed, low, high):
    """Twenty pendulums with stiffnesses from 0.1 to 1 and their own friction."""
    rng = np.random.default_rng(seed)
    n, stiffness, friction = 20, rng.uniform(0.1, 1, 20), rng.uniform(low, high, 20)
    start = np.stack([rng.uniform(-2, 2, n), rng.uniform(-0.5, 0.5, n)])
    states = simulate(lambda x: np.stack([x[1], -stiffness * np.sin(x[0]) - friction * x[1]]), start, 0.5, 41, 20)
    rows = [f"{i},{0.5 * k},{states[k, 0, i]:.6f},{states[k, 1, i]:.6f},{stiffness[i]:.6f}" for i in range(n) for k in range(41)]
    file.write_text("\n".join(["series,time,angle,velocity,true_stiffness", *rows]) + "\n")


def windows_of(file):
    """Angles and velocities (windows × snapshots) and stiffnesses, in the order of the predictions."""
    lines = [line.split(",") for line in file.read_text().splitlines()]
    of_series = {}
    for cells in lines[1:]:
        of_series.setdefault(cells[0], []).append([float(cell) for cell in cells[1:]])
    angle, velocity, stiffness = (lines[0].index(name) - 1 for name in ("angle", "velocity", "true_stiffness"))
    windows = [np.array(rows[first:first + LENGTH]) for rows in of_series.values()
               for first in range(0, len(rows) - LENGTH + 1, STRIDE)]
    stacked = np.stack(windows)
    return {"angle": stacked[:, 1:, angle], "velocity": stacked[:, 1:, velocity]}, stacked[:, 0, stiffness]


def measure(options, data, way, seed):
    mode, steps, second_order, layers = way
    folder = options.keep / f"{mode}-{steps}-{'second' if second_order else 'first'}-{'layers-' if layers else ''}{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "model.toml"
    model.write_text(MODEL.format(data=data, steps=steps, rate=options.rate, second_order=str(second_order).lower(),
                                  networks=ADAPTED_LAYERS if layers
                                  else ORDINARY.format(activation="tanh" if options.friction else "silu")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    call(options.greybox, "train", model, "-o", folder / "run", "--mode", mode, "--seed", seed, "--threads", 1, "--overwrite")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    others = options.keep / "others.csv"
    call(options.greybox, "predict", folder / "run", "--data", others, "-o", folder / "others.npz")
    measured, truth = windows_of(others)
    with np.load(folder / "others.npz") as arrays:
        errors = [arrays[name] - values for name, values in measured.items()]
        theta = arrays["theta"][:, 0]
    later = np.concatenate([error[:, OBSERVED - 1:].ravel() for error in errors])
    return np.sqrt((later**2).mean()), np.sqrt(((theta - truth) ** 2).mean()), seconds


def shown(values, digits):
    spread = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} ± {spread:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("greybox", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder of data, models and runs")
    parser.add_argument("--rate", type=float, default=0.1, help="of the steps")
    parser.add_argument("--friction", help="LOW:HIGH, where pendulums differ in it")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    options.keep = options.keep.resolve()
    options.keep.mkdir(parents=True, exist_ok=True)
    data = options.keep / "pendulums.csv"
    for seed, file in enumerate((data, options.keep / "others.csv")):
        if options.friction:
            make_pendulums(file, seed, *map(float, options.friction.split(":")))
        elif not file.exists():
            call(options.greybox, "data", "damped-pendulum", "--stiffness", "0.1,1", "--seed", seed, "-o", file)
    print(f"{'mode':10} {'steps':>5} {'order':>6} {'layers':>6} {'later RMSE':>18} {'stiffness RMSE':>18} {'seconds':>14}")
    for way in WAYS_OF_FRICTION if options.friction else WAYS:
        later, stiffness, seconds = zip(*[measure(options, data, way, seed) for seed in range(options.seeds)])
        mode, steps, second_order, layers = way
        print(f"{mode:10} {steps if mode == 'tailored' else '-':>5} "
              f"{('second' if second_order else 'first') if mode == 'tailored' else '-':>6} "
              f"{'adapt' if layers else '-':>6} "
              f"{shown(later, 4):>18} {shown(stiffness, 4):>18} {shown(seconds, 2):>14}", flush=True)


if __name__ == "__main__":
    main()
