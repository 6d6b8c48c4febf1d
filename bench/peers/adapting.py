#!/usr/bin/env python3
"""How a network is told the parameters: as further inputs, by FiLM (scale and shift of its layers), or by last weights that
another network makes. One model, three networks of about the same cost; errors over the whole prior, for each seed.

Prints the number of weights, seconds of processor time, and of the test RMSE over a grid of parameters the median and the
largest, as mean ± standard error over seeds.
"""
import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def layer(name, inputs, width, hidden="[]"):
    return f'[network.{name}]\ninputs = [{inputs}]\nhidden = {hidden}\noutputs = ["z[{width}]"]\n\n'


def leaky(text):
    return f"max({text}, 0.01 * ({text}))"


def output(name, inputs, outputs):
    names = ", ".join(f'"{o}"' for o in outputs)
    return f"[network.{name}]\ninputs = [{inputs}]\nhidden = []\noutputs = [{names}]\n\n"


def quoted(texts):
    return ", ".join(f'"{text}"' for text in texts)


def concatenation(moving, told, outputs, widths):
    names = quoted(outputs)
    return f"[network.fD]\ninputs = [{quoted(moving + told)}]\nhidden = {list(widths)}\noutputs = [{names}]\n\n"


def film(moving, told, outputs, widths, hyper):
    """Every hidden layer's sums are scaled and shifted by outputs of a network of the parameters."""
    parts = ", ".join(f'"s{i}[{w}]", "b{i}[{w}]"' for i, w in enumerate(widths))
    text = f"[network.film]\ninputs = [{quoted(told)}]\nhidden = [{hyper}]\noutputs = [{parts}]\n\n"
    inputs = quoted(moving)
    for i, width in enumerate(widths):
        text += layer(f"layer{i}", inputs, width)
        inputs = quoted([leaky(f"(1 + film.s{i}) * layer{i}.z + film.b{i}")])
    return text + output("fD", inputs, outputs)


def last_weights(moving, told, outputs, widths, hyper):
    """The last layer's weights are outputs of a network of the parameters; the layers before are not told."""
    parts = ", ".join(f'"w{i}[{widths[-1]}]", "b{i}"' for i, _ in enumerate(outputs))
    text = f"[network.hyper]\ninputs = [{quoted(told)}]\nhidden = [{hyper}]\noutputs = [{parts}]\n\n"
    text += layer("body", quoted(moving), widths[-1], list(widths[:-1]))
    equations = "".join(f'{o} = "dot({leaky("body.z")}, hyper.w{i}) / {widths[-1] ** 0.5:.3g} + hyper.b{i}"\n' for i, o in enumerate(outputs))
    return text + "[data_driven]\n" + equations + "\n"


WAYS = ("concatenation", "FiLM", "last weights")
# Inputs that move, what the network is told of the parameters, outputs, widths of both hidden layers for each way (such that
# the three take about as long), width of the other network, and what is made smaller in the example.
MODELS = {
    "toy": (["x", "theory.y"], ["a", "c"], ["y"], (36, 16, 26), 16, {}),
    "pendulum": (["cos(angle)", "sin(angle)", "velocity", "theory.angle", "theory.velocity"], ["g"], ["angle", "velocity"],
                 (136, 64, 84), 16, {"stride = 1": "stride = 10", "epochs = 500": "epochs = 150", "rate   = [1e-3, 1e-5]":
                                "rate   = [3e-3, 1e-4]"}),
}


def model_text(name, way):
    moving, told, outputs, width_of, hyper, changes = MODELS[name]
    widths = [width_of[WAYS.index(way)]] * 2
    text = (EXAMPLES / f"{name}.toml").read_text()
    for old, new in changes.items():
        if old not in text:
            sys.exit(f"examples/{name}.toml has no `{old}`")
        text = text.replace(old, new)
    text = re.sub(r"lambda *= .*", "lambda = 0", text)
    networks = {"concatenation": lambda: concatenation(moving, told, outputs, widths),
                "FiLM": lambda: film(moving, told, outputs, widths, hyper),
                "last weights": lambda: last_weights(moving, told, outputs, widths, hyper)}[way]()
    return re.sub(r"\[network\.fD\].*?(?=\n\[)", lambda _: networks, text, flags=re.S)


def call(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def processor_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def measure(options, name, way, seed):
    folder = options.keep / name
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{way.replace(' ', '-')}.toml"
    model.write_text(model_text(name, way).replace(f'"{name}.csv"', f'"{options.data / f"{name}.csv"}"'))
    run = folder / f"{model.stem}-{seed}"
    before = processor_seconds()
    call(options.greybox, "train", model, "-o", run, "--seed", seed, "--threads", 1, "--overwrite")
    seconds = processor_seconds() - before
    errors = json.loads(call(options.greybox, "landscape", run, "--split", "test", "--json", "--threads", 1, "-o",
                             run / "map"))["landscapes"][0]["rmse"]
    weights = sum(array.size for array in np.load(run / "weights.npz").values())
    return weights, seconds, errors["median"], errors["max"]


def shown(values, digits):
    spread = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} ± {spread:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("greybox", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder of models and runs")
    parser.add_argument("--data", type=Path, default=EXAMPLES, help="folder of toy.csv and pendulum.csv")
    parser.add_argument("--models", default="toy,pendulum")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'model':10} {'told by':15} {'weights':>8} {'seconds':>14} {'median RMSE':>18} {'largest RMSE':>18}")
    for name in options.models.split(","):
        for way in WAYS:
            results = [measure(options, name, way, seed) for seed in range(options.seeds)]
            weights, seconds, median, largest = zip(*results)
            print(f"{name:10} {way:15} {int(weights[0]):8} {shown(seconds, 2):>14} {shown(median, 4):>18} {shown(largest, 4):>18}",
                  flush=True)


if __name__ == "__main__":
    main()
