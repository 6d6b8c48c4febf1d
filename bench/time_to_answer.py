#!/usr/bin/env python3
"""Processor time from a trained model to its answers, example by example.

Every example is trained once, or taken from --keep where it was trained before; --epochs shortens long trainings, since
answers take as long after a short one. Then each question is asked of a fresh copy of the run: `landscape` with its
verdicts, `estimate`, `sample` at the middling β that it suggests itself, and `report` with nothing in the folder. Times
are the user time of the whole process, with its elapsed time beside it; peak memory is the largest of all questions.
--binary names another build, so that two can be compared on the same runs.
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from runs import BUILD, EXAMPLES
from time_to_quality import bring_data

MODELS = ["toy", "oscillator", "two-compartment", "tanks", "dosing", "damped-pendulum", "outbreaks", "rod", "robertson", "burgers",
          "pendulum", "predator-prey"]
QUESTIONS = ["landscape", "estimate", "sample", "report"]


def regularizer_of(model):
    """The one that the example trains with."""
    return re.search(r'^regularizer\s*=\s*"([^"]+)"', model.read_text(), re.MULTILINE)[1]


class Binary:
    def __init__(self, path, threads):
        self.path, self.threads = str(path), str(threads)

    def run(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments), "--threads", self.threads], capture_output=True, text=True)

    def time(self, *arguments):
        """User time, elapsed time, and what the command said where it failed."""
        used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        finished = self.run(*arguments)
        elapsed = time.monotonic() - begun
        user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used.ru_utime
        return user, elapsed, "" if finished.returncode == 0 else finished.stderr.strip().splitlines()[0]


def trained(name, options, folder, binary):
    run = folder / name
    model = EXAMPLES / f"{name}.toml"
    if not (run / "run.json").exists():
        shutil.copy(model, folder / model.name)
        for other in re.findall(r'file\s*=\s*"([^"]+)"', model.read_text()):
            bring_data(name, other, folder, options.data)
        short = [word.split("=")[1] for word in options.epochs if word.split("=")[0] == name]
        finished = binary.run("train", folder / model.name, "-o", run, *(["--epochs", short[0]] if short else []))
        if finished.returncode != 0:
            sys.exit(finished.stderr)
    return run


def beta_for(run, regularizer, binary):
    suggestion = binary.run("sample", run, "--regularizer", regularizer).stderr
    found = re.search(r"β = (\S+) makes it", suggestion)
    return found[1] if found else None


def times_of(name, options, folder, binary):
    run = trained(name, options, folder, binary)
    regularizer = regularizer_of(EXAMPLES / f"{name}.toml")
    beta = beta_for(run, regularizer, binary) if "sample" in options.questions else None
    asked = {"landscape": [], "estimate": ["--regularizer", regularizer],
             "sample": ["--regularizer", regularizer, "--beta", beta], "report": []}
    cells = []
    for question in options.questions:
        if question == "sample" and beta is None:
            cells.append("no β suggested")
            continue
        copy = folder / f"{name}-{question}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(run, copy)
        user, elapsed, failure = binary.time(question, copy, *asked[question])
        cells.append(f"{user:.2f} s ({elapsed:.1f})" + (f", {failure}" if failure else ""))
    return cells


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--questions", nargs="+", default=QUESTIONS, choices=QUESTIONS)
    parser.add_argument("--epochs", nargs="+", default=["pendulum=40", "predator-prey=100"], help="NAME=N")
    parser.add_argument("--data", help="folder with data files")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--binary", type=Path, default=BUILD / "greybox")
    parser.add_argument("--keep", help="folder for the runs")
    return parser.parse_args()


def main():
    options = parse_options()
    binary = Binary(options.binary, options.threads)
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}\n")
    print("| model | " + " | ".join(options.questions) + " |\n|" + "---|" * (1 + len(options.questions)))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.models:
            print(f"| {name} | " + " | ".join(times_of(name, options, folder, binary)) + " |", flush=True)


if __name__ == "__main__":
    main()
