#!/usr/bin/env python3
"""How a network is told the parameters on the paper's four experiments: as further inputs, by scale and shift of its layers, or
by weights that another network makes. Networks of about the same cost; errors over the whole prior, for each seed.

Prints the number of weights, seconds of processor time, and of the test RMSE over grids of parameters the median and the
largest, as mean ± standard error over seeds.
"""
import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def quoted(texts):
    return ", ".join(f'"{text}"' for text in texts)


def leaky(text):
    return f"max({text}, 0.01 * ({text}))"


def network(inputs, hidden, outputs, more=""):
    return f"inputs = [{quoted(inputs)}]\n{more}hidden = {list(hidden)}\noutputs = [{quoted(outputs)}]\n\n"


def concatenation(model, widths):
    return "[network.fD]\n" + network(model.moving + model.told, widths, model.outputs)


def made(weights):
    """A network that another one scales and shifts, or makes."""
    def text(model, widths):
        return "[network.fD]\n" + network(model.moving, widths, model.outputs,
                                         f'conditions = [{quoted(model.told)}]\nweights = "{weights}"\nmaker = {MAKER}\n')
    return text


def film_by_equations(model, widths):
    """The same as weights = "film", layer by layer."""
    parts = [f"{kind}{i}[{w}]" for i, w in enumerate(widths) for kind in "sb"]
    text, inputs = "[network.film]\n" + network(model.told, [MAKER], parts), model.moving
    for i, width in enumerate(widths):
        text += f"[network.layer{i}]\n" + network(inputs, [], [f"z[{width}]"])
        inputs = [leaky(f"(1 + film.s{i}) * layer{i}.z + film.b{i}")]
    return text + "[network.fD]\n" + network(inputs, [], model.outputs)


def last_weights(model, widths):
    """The last layer's weights alone are made; the layers before are not told."""
    parts = [part for i, _ in enumerate(model.outputs) for part in (f"w{i}[{widths[-1]}]", f"b{i}")]
    text = "[network.hyper]\n" + network(model.told, [MAKER], parts)
    text += "[network.body]\n" + network(model.moving, widths[:-1], [f"z[{widths[-1]}]"])
    equations = "".join(f'{o} = "dot({leaky("body.z")}, hyper.w{i}) / {widths[-1] ** 0.5:.3g} + hyper.b{i}"\n'
                        for i, o in enumerate(model.outputs))
    return text + "[data_driven]\n" + equations + "\n"


def convolutions(more):
    """Of fields: parameters stand among the inputs, or do not."""
    def text(model, widths):
        return ("[network.fD]\nkind = \"conv2d\"\n" + f"inputs = [{quoted(model.moving + (model.told if more else []))}]\n"
                f"channels = {list(widths)}\nkernel = 3\npadding = \"replicate\"\nnorm = \"batch\"\n"
                f"outputs = [{quoted(model.outputs)}]\n\n")
    return text


def film_of_fields(model, widths):
    """Scales and shifts of the channels, as equations: networks on fields have no conditions."""
    conv = 'kernel = 3\npadding = "replicate"\n'
    parts = [f"{kind}{i}[{w}]" for i, w in enumerate(widths) for kind in "sb"]
    text, inputs = "[network.film]\n" + network(model.told, [MAKER], parts), model.moving
    for i, width in enumerate(widths):
        text += (f'[network.layer{i}]\nkind = "conv2d"\ninputs = [{quoted(inputs)}]\nchannels = []\n{conv}'
                 f'outputs = ["z[{width}]"]\n\n')
        inputs = [leaky(f"(1 + film.s{i}) * layer{i}.z + film.b{i}")]
    return text + (f'[network.fD]\nkind = "conv2d"\ninputs = [{quoted(inputs)}]\nchannels = []\n{conv}'
                   f"outputs = [{quoted(model.outputs)}]\n\n")


@dataclass
class Example:
    """What moves, what the network is told, and the hidden layers of each way, such that they take about as long."""
    moving: list
    told: list
    outputs: list
    ways: dict
    changes: dict = field(default_factory=dict)  # of the example's text, to be quick
    replaced: tuple = (r"network\.fD",)          # tables that give way


MAKER = 16
EXAMPLES_OF = {
    "toy": Example(["x", "theory.y"], ["a", "c"], ["y"],
                   {"concatenation": (concatenation, [36] * 2), "FiLM by equations": (film_by_equations, [16] * 2),
                    "made last weights": (last_weights, [26] * 2), "film": (made("film"), [24] * 2),
                    "hyper": (made("hyper"), [16] * 2)}),
    "pendulum": Example(["cos(angle)", "sin(angle)", "velocity", "theory.angle", "theory.velocity"], ["g"],
                        ["angle", "velocity"],
                        {"concatenation": (concatenation, [136] * 2), "FiLM by equations": (film_by_equations, [64] * 2),
                         "made last weights": (last_weights, [84] * 2), "film": (made("film"), [96] * 2),
                         "hyper": (made("hyper"), [48] * 2)},
                        {"stride = 1": "stride = 10", "epochs = 500": "epochs = 150",
                         "rate   = [1e-3, 1e-5]": "rate   = [3e-3, 1e-4]"}),
    "predator-prey": Example([f"{f}({n}*pi*t/10)" for n in (2, 4, 6, 8) for f in ("sin", "cos")] + ["x", "y", "theory"],
                             ["encoder.z", "alpha", "beta", "gamma", "delta"], ["prey", "predator"],
                             {"concatenation": (concatenation, [128] * 3), "film": (made("film"), [112] * 3),
                              "hyper": (made("hyper"), [40] * 3)},
                             {"epochs = 1000": "epochs = 40", "stride = 1": "stride = 3"}),
    "reaction-diffusion": Example(["u", "v"], ["100 * a", "100 * b"], ["u", "v"],
                                  {"concatenation": (convolutions(True), [16] * 2), "not told": (convolutions(False), [16] * 2),
                                   "FiLM by equations": (film_of_fields, [16] * 2), "as the paper": (None, [])},
                                  {"epochs = 1000": "epochs = 20"},
                                  (r"network\.conv", r"network\.hyper", "data_driven")),
}


def model_text(name, way):
    model = EXAMPLES_OF[name]
    make, widths = model.ways[way]
    text = (EXAMPLES / f"{name}.toml").read_text()
    for old, new in model.changes.items():
        if old not in text:
            sys.exit(f"examples/{name}.toml has no `{old}`")
        text = text.replace(old, new)
    text = re.sub(r"lambda *= .*", "lambda = 0", text)
    for table in model.replaced if make else ():
        text = re.sub(rf"\[{table}\].*?(?=\n\[)", lambda _: make(model, widths) if table == model.replaced[0] else "", text,
                      flags=re.S)
    return text


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
    model.write_text(re.sub(r'(?m)^(file *= )"', rf'\1"{options.data.resolve()}/', model_text(name, way)))
    run = folder / f"{model.stem}-{seed}"
    before = processor_seconds()
    call(options.greybox, "train", model, "-o", run, "--seed", seed, "--threads", 1, "--overwrite")
    seconds = processor_seconds() - before
    maps = json.loads(call(options.greybox, "landscape", run, "--split", "test", "--json", "--threads", 1, "-o",
                           run / "map"))["landscapes"]
    weights = sum(array.size for array in np.load(run / "weights.npz").values())
    return weights, seconds, statistics.mean(m["rmse"]["median"] for m in maps), max(m["rmse"]["max"] for m in maps)


def shown(values, digits):
    spread = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{statistics.mean(values):.{digits}f} ± {spread:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("greybox", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder of models and runs")
    parser.add_argument("--data", type=Path, default=EXAMPLES, help="folder of the data: greybox data toy, pendulum, …")
    parser.add_argument("--models", default=",".join(EXAMPLES_OF))
    parser.add_argument("--ways", help="separated by commas; by default all of a model")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'model':18} {'told by':17} {'weights':>8} {'seconds':>14} {'median RMSE':>18} {'largest RMSE':>18}")
    for name in options.models.split(","):
        for way in options.ways.split(",") if options.ways else EXAMPLES_OF[name].ways:
            results = [measure(options, name, way, seed) for seed in range(options.seeds)]
            weights, seconds, median, largest = zip(*results)
            print(f"{name:18} {way:17} {int(weights[0]):8} {shown(seconds, 2):>14} {shown(median, 4):>18} {shown(largest, 4):>18}",
                  flush=True)


if __name__ == "__main__":
    main()
