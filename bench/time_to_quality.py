#!/usr/bin/env python3
"""Processor time of trainings by the paper's recipe and by recipe "auto", and how good their landscapes are.

Every model is trained with both recipes from the same seeds, on one thread. The yardstick is the landscape of R on
validation windows: its distance from the mean over all trained networks, as a root mean square over θ in per cent of the
range, the largest over the regularizers. Validation L comes with it. A data file that an example does not bring is made
by `greybox data`; --data says where those are that have to be downloaded.
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


def make_model(name, recipe, folder, epochs_part):
    text = (EXAMPLES / f"{name}.toml").read_text()
    if recipe == "auto":
        text = CHOSEN.sub("", text).replace("[train]\n", '[train]\nrecipe = "auto"\n')
    elif epochs_part < 1:
        text = re.sub(r"^epochs = (\d+)", lambda found: f"epochs = {math.ceil(epochs_part * int(found[1]))}", text,
                      flags=re.MULTILINE)
    file = folder / f"{name}-{recipe}.toml"
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


def validations(run):
    return [(int(row["epoch"]), float(row["validation_L"])) for row in read_rows(run / "curves.csv") if row["validation_L"]]


def measure(name, options, folder):
    trained = {}
    for seed in range(options.seeds):
        for recipe in ("paper", "auto"):
            model, data = make_model(name, recipe, folder, options.epochs_part)
            bring_data(name, data, folder, options.data)
            run = folder / f"{name}-{recipe}-{seed}"
            seconds = greybox("train", model, "-o", run, "--seed", seed, "--threads", 1)
            curve = validations(run)
            trained[recipe, seed] = {"seconds": seconds, "epochs": curve[-1][0], "loss": curve[-1][1], "curve": curve,
                                     "landscape": landscape_of(run, options.vary, options.sample)}
    reference = mean_landscape([one["landscape"] for one in trained.values()])
    for one in trained.values():
        one["distance"] = distance(one["landscape"], reference)
    return trained


def seconds_to(one, loss):
    """Until validation L is at a value for the first time; none if it never is."""
    for epoch, value in one["curve"]:
        if value <= loss:
            return one["seconds"] * epoch / one["epochs"]
    return None


def report(name, trained):
    of = {recipe: [one for (kind, _), one in trained.items() if kind == recipe] for recipe in ("paper", "auto")}

    def mean(recipe, key):
        return statistics.fmean(one[key] for one in of[recipe])

    aim = 1.02 * mean("paper", "loss")
    reached = [seconds_to(one, aim) for one in of["paper"]]
    to_aim = f"{statistics.fmean(filter(None, reached)):.3g} s" if any(reached) else "—"
    print(f"| {name} | {len(of['auto'])} | {mean('paper', 'seconds'):.3g} s ({to_aim}) | {mean('auto', 'seconds'):.3g} s "
          f"| {mean('paper', 'seconds') / mean('auto', 'seconds'):.1f}× "
          f"| {mean('paper', 'epochs'):.0f} → {mean('auto', 'epochs'):.0f} "
          f"| {mean('paper', 'loss'):.3g} → {mean('auto', 'loss'):.3g} "
          f"| {mean('paper', 'distance'):.2g} % → {mean('auto', 'distance'):.2g} % |", flush=True)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--data", help="folder with data files")
    parser.add_argument("--vary", action="append", default=[], help="as of greybox landscape; by default all parameters")
    parser.add_argument("--sample", type=int, default=0, help="windows of the landscapes; by default all")
    parser.add_argument("--epochs-part", type=float, default=1, help="of the paper's epochs, for a shortened check")
    parser.add_argument("--keep", help="folder for the runs")
    return parser.parse_args()


def main():
    options = parse_options()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}\n")
    print("| model | seeds | paper (until its last L for the first time) | auto | ratio | epochs | validation L "
          "| distance of landscapes |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.models:
            report(name, measure(name, options, folder))


if __name__ == "__main__":
    main()
