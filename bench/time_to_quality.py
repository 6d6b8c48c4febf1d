#!/usr/bin/env python3
"""Processor time of trainings by the paper's recipe and by recipe "auto", and how good their landscapes are.

Every model is trained by recipe auto, and by the paper's for several parts of its epochs (its rates then fall over
those), from the same seeds, on one thread. The yardstick is the landscape of R on validation windows: its distance from
the mean over the whole trainings of both recipes, as a root mean square over θ in per cent of the range, the largest over
the regularizers. Validation L comes with it. The last line of a model says how much longer the paper's recipe takes until
both are as good as auto's, in the mean over the seeds. A data file that an example does not bring is made by
`greybox data`; --data says where those are that have to be downloaded.
"""
import argparse
import csv
import math
import os
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from runs import BUILD, EXAMPLES

MODELS = ["toy", "damped-pendulum", "two-compartment", "oscillator", "outbreaks", "pendulum", "predator-prey",
          "reaction-diffusion"]
CHOSEN = re.compile(r"^(recipe|epochs|batch|rate)\b.*\n", re.MULTILINE)


def greybox(*arguments):
    """Runs the command and returns the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(BUILD / "greybox"), *map(str, arguments)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def make_model(name, part, folder):
    """With a part of the paper's epochs, or by recipe auto where that is none."""
    text = (EXAMPLES / f"{name}.toml").read_text()
    if part is None:
        text = CHOSEN.sub("", text).replace("[train]\n", '[train]\nrecipe = "auto"\n')
    else:
        text = re.sub(r"^epochs = (\d+)", lambda found: f"epochs = {math.ceil(part * int(found[1]))}", text,
                      flags=re.MULTILINE)
    file = folder / f"{name}-{part or 'auto'}.toml"
    file.write_text(text)
    data = re.search(r'^file\s*=\s*"([^"]+)"', text, re.MULTILINE)[1]
    return file, data


def bring_data(name, file, folder, given):
    if (folder / file).exists():
        return
    for place in (given, EXAMPLES):
        if place and (Path(place) / file).exists():
            shutil.copy(Path(place) / file, folder / file)
            return
    kind = next(kind for kind in ("damped-pendulum", "reaction-diffusion", "pendulum", "predator-prey") if kind in name)
    greybox("data", kind, "-o", folder / file)


def read_rows(file):
    with open(file, newline="") as lines:
        return list(csv.DictReader(lines))


def regularizers_of(run):
    """Their names, of the model file."""
    section = re.search(r"^\[regularizers\](.*?)^\[", (run / "model.toml").read_text(), re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^(\w+)\s*=", section, re.MULTILINE)


def landscape_of(run, points, windows):
    options = [option for point in points for option in ("--vary", point)]
    greybox("landscape", run, "--no-verdicts", "--split", "validation", "--threads", 1, "--precision", "float",
            *options, *(["--sample", windows] if windows else []), "-o", run / "quality")
    rows = read_rows(run / "quality" / "landscape.csv")
    return {name: [float(row[name]) for row in rows] for name in regularizers_of(run)}


def distance(landscape, reference):
    """The largest over the regularizers, in per cent of their range."""
    worst = 0
    for name, expected in reference.items():
        extent = max(expected) - min(expected)
        squares = [(value - mean) ** 2 for value, mean in zip(landscape[name], expected)]
        worst = max(worst, 100 * math.sqrt(statistics.fmean(squares)) / extent if extent > 0 else 0)
    return worst


def mean_landscape(landscapes):
    return {name: [statistics.fmean(values) for values in zip(*(one[name] for one in landscapes))]
            for name in landscapes[0]}


def last_validation(run):
    """Epochs done, and L."""
    row = [row for row in read_rows(run / "curves.csv") if row["validation_L"]][-1]
    return int(row["epoch"]), float(row["validation_L"])


def measure(name, options, folder):
    trained = {part: [] for part in [None, *options.parts]}
    for seed in range(options.seeds):
        for part, runs in trained.items():
            model, data = make_model(name, part, folder)
            bring_data(name, data, folder, options.data)
            run = folder / f"{name}-{part or 'auto'}-{seed}"
            seconds = greybox("train", model, "-o", run, "--seed", seed, "--threads", 1)
            epochs, loss = last_validation(run)
            runs.append({"seconds": seconds, "epochs": epochs, "loss": loss,
                         "landscape": landscape_of(run, options.vary, options.sample)})
    reference = mean_landscape([one["landscape"] for part in (None, max(options.parts)) for one in trained[part]])
    for one in (one for runs in trained.values() for one in runs):
        one["distance"] = distance(one["landscape"], reference)
    return trained


def means_of(runs):
    return {key: statistics.fmean(one[key] for one in runs) for key in ("seconds", "epochs", "loss", "distance")}


def report(name, trained):
    means = {part: means_of(runs) for part, runs in trained.items()}
    for part, mean in means.items():
        recipe = "auto" if part is None else f"paper, {100 * part:g} % of its epochs"
        print(f"| {name} | {recipe} | {len(trained[part])} | {mean['seconds']:.3g} s | {mean['epochs']:.0f} "
              f"| {mean['loss']:.3g} | {mean['distance']:.2g} % |", flush=True)
    auto = means.pop(None)
    as_good = [mean["seconds"] for mean in means.values()
               if mean["loss"] <= 1.02 * auto["loss"] and mean["distance"] <= 1.1 * auto["distance"]]
    longest = max(mean["seconds"] for mean in means.values())
    print(f"| {name} | until as good as auto | | "
          + (f"{min(as_good):.3g} s: {min(as_good) / auto['seconds']:.2g} times as long |" if as_good else
             f"not in {longest:.3g} s: more than {longest / auto['seconds']:.2g} times as long |") + " | | |", flush=True)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--data", help="folder with data files")
    parser.add_argument("--vary", action="append", default=[], help="as of greybox landscape; by default all parameters")
    parser.add_argument("--sample", type=int, default=0, help="windows of the landscapes; by default all")
    parser.add_argument("--parts", type=float, nargs="+", default=[0.1, 0.3, 1], help="of the paper's epochs")
    parser.add_argument("--keep", help="folder for the runs")
    return parser.parse_args()


def main():
    options = parse_options()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}\n")
    print("| model | recipe | seeds | processor time | epochs | validation L | distance of landscapes |")
    print("|---" * 7 + "|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.models:
            report(name, measure(name, options, folder))


if __name__ == "__main__":
    main()
