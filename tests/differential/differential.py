"""Random models through the tool and through the reference: differential.py TOOL [--seconds N] [--seed N] [--only K]

Predictions, L and regularizers come from `predict`; gradients from one step of `train`, whose gradients are clipped to
a norm so small that Adam's step is nearly in proportion to them.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from models import model_text, random_model, random_windows, read_weights, write_data, write_weights
from reference import Model, run

TOLERANCE = 1e-9
GRADIENT_TOLERANCE = 1e-4  # central differences are rough near a kink
CLIP, EPSILON, LAMBDA = 1e-9, 1e-8, 0.3  # of the gradient, of Adam, of the regularizer


def tool(program: str, *arguments: object) -> str:
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def close(what: str, ours: float, expected: float, tolerance: float = TOLERANCE) -> None:
    if not abs(ours - expected) <= tolerance * max(1.0, abs(expected)):
        raise AssertionError(f"{what}: {ours!r}, and the reference says {expected!r}")


def check_prediction(program: str, folder: Path, model: Model, windows: list) -> None:
    theta = ",".join(f"{name}={value}" for name, value in model.parameters.items())
    said = json.loads(tool(program, "predict", folder, "--theta", theta, "-o", folder / "out.csv", "--json", "--threads", 1))
    expected = run(model, windows, model.parameters)
    close("L", said["L"], expected.loss)
    for name, value in expected.regularizers.items():
        close(f"R {name}", said["R"][name], value)
    with (folder / "out.csv").open() as file:
        rows = iter(list(csv.DictReader(file)))
    for number, window in enumerate(expected.predictions):
        for k in range(len(windows[number]) - 1):
            row = next(rows)
            for name in model.observe:
                close(f"{name} of window {number}, output {k}", float(row[name]), window[name][k])


def gradient(model: Model, windows: list, theta: dict[str, float], regularizer: str) -> list[float]:
    """Of L + λR by central differences: weights, layer by layer and row by row, then θ."""
    def difference(get, put) -> float:  # noqa: ANN001
        middle, step = get(), 1e-5
        values = []
        for value in (middle + step, middle - step):
            put(value)
            values.append(run(model, windows, theta, LAMBDA, regularizer).loss)
        put(middle)
        return (values[0] - values[1]) / (2 * step)

    slopes = []
    for layer in model.weights:
        for row in layer:
            for i in range(len(row)):
                slopes.append(difference(lambda row=row, i=i: row[i], lambda x, row=row, i=i: row.__setitem__(i, x)))
    for name in theta:
        slopes.append(difference(lambda name=name: theta[name], lambda x, name=name: theta.__setitem__(name, x)))
    return slopes


def learned(program: str, folder: Path, model: Model, regularizer: str, rate: float) -> list[float]:
    settings = (f'[train]\nregularizer = "{regularizer}"\nlambda = {LAMBDA}\nepochs = 1\nbatch = 1000\nrate = {rate}\n'
                f'weight_decay = 0\nclip_value = inf\nclip_norm = {CLIP}\nprecision = "double"\nvalidate_every = 0\n')
    (folder / "train.toml").write_text(model_text(model, settings))
    out = folder / f"run-{rate}"
    tool(program, "train", folder / "train.toml", "--mode", "inductive", "-o", out, "--threads", 1)
    layers, theta = read_weights(model, out / "weights.npz")
    return [number for layer in layers for row in layer for number in row] + theta


def check_gradient(program: str, folder: Path, model: Model, windows: list, regularizer: str) -> None:
    before = learned(program, folder, model, regularizer, 1e-300)
    after = learned(program, folder, model, regularizer, 1)
    flat = iter(before)
    model.weights = [[[next(flat) for _ in row] for row in layer] for layer in model.weights]
    slopes = gradient(model, windows, dict(model.parameters), regularizer)
    norm = math.sqrt(sum(slope * slope for slope in slopes))
    factor = min(1.0, CLIP / norm)
    for i, slope in enumerate(slopes):
        step = slope * factor / (abs(slope * factor) + EPSILON)
        close(f"step {i} of {len(slopes)}", before[i] - after[i], step, GRADIENT_TOLERANCE)


def check(program: str, seed: int) -> None:
    chance = random.Random(seed)
    model, windows = random_model(chance), random_windows(chance)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.toml").write_text(model_text(model))
        write_data(windows, folder / "data.csv")
        write_weights(model, folder / "weights.npz")
        try:
            check_prediction(program, folder, model, windows)
            if seed % 3 == 0:
                check_gradient(program, folder, model, windows, chance.choice(["normD", "ratio", "fixed", "mixed"]))
        except AssertionError as error:
            print((folder / "model.toml").read_text(), (folder / "data.csv").read_text(), sep="\n")
            sys.exit(f"model {seed}: {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    if options.only is not None:
        return check(options.tool, options.only)
    end, n = time.monotonic() + options.seconds, 0
    while time.monotonic() < end:
        check(options.tool, options.seed * 1_000_000 + n)
        n += 1
    print(f"{n} models agree")


if __name__ == "__main__":
    main()
