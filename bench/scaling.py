#!/usr/bin/env python3
"""How the cost of a training step grows with samples, hidden width, field size and threads, that of a landscape with its
grid, and the memory they take. With --shared: how trials and networks scale over threads and ranks of MPI."""
import argparse
import re
import tempfile
from pathlib import Path

import shared_work
from batches import write_batch
from runs import BUILD, EXAMPLES, run_json, time_text


class Series:
    """Variants of one example; a variant changes the model file by regular expressions, and sizes of the data."""

    def __init__(self, title, model, seconds):
        self.title, self.model, self.seconds = title, model, seconds

    def measure(self, label, *, changes=(), sizes=None, threads=1):
        with tempfile.TemporaryDirectory() as scratch:
            text = (EXAMPLES / f"{self.model}.toml").read_text()
            for pattern, replacement in changes:
                text, n_changes = re.subn(pattern, replacement, text)
                assert n_changes > 0, pattern
            model, data = Path(scratch) / "model.toml", Path(scratch) / "batch.npz"
            model.write_text(text)
            write_batch(self.model, data, **(sizes or {}))
            outcome = run_json([BUILD / "step_timer", model, "--data", data, "--threads", threads,
                                "--seconds", self.seconds])
        per_sample = outcome["seconds_per_step"] / outcome["batch"]
        print(f"| {self.title} | {label} | {time_text(outcome['seconds_per_step'])} | {time_text(per_sample)} "
              f"| {100 * outcome['share_of_peak']:.0f} % | {outcome['memory_mb']:.0f} MB |", flush=True)


def measure_landscapes():
    print("\n| landscape (toy, 80 inputs) | time | per pair of θ and input | memory |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "batch.npz"
        write_batch("toy", data, n_samples=80)
        for side in (11, 31, 101, 317, 1000):
            outcome = run_json([BUILD / "landscape_timer", EXAMPLES / "toy.toml", "--data", data, "--thetas", side * side])
            print(f"| {side} × {side} | {time_text(outcome['seconds'])} "
                  f"| {1e9 * outcome['seconds'] / outcome['pairs']:.1f} ns | {outcome['memory_mb']:.0f} MB |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--shared", action="store_true", help="trials and networks over threads and ranks instead")
    parser.add_argument("--tasks", type=int, default=16, help="of --shared, on one core")
    parser.add_argument("--rounds", type=int, default=3, help="of --shared")
    arguments = parser.parse_args()
    if arguments.shared:
        return shared_work.report(arguments.tasks, arguments.rounds)
    seconds = arguments.seconds
    print("| cost against | value | step | per sample | of the limit | memory |")
    print("|---|---|---|---|---|---|")
    samples = Series("samples (pendulum)", "pendulum", seconds)
    for n in (10, 50, 100, 400, 1600):
        samples.measure(n, sizes={"n_samples": n})
    width = Series("hidden width (pendulum)", "pendulum", seconds)
    for n in (16, 32, 64, 128, 256, 512):
        width.measure(n, changes=[(r"\[128, 128, 128\]", f"[{n}, {n}, {n}]")])
    field = Series("field size (reaction–diffusion, 4 samples)", "reaction-diffusion", seconds)
    for n in (8, 16, 32, 64):
        size = [(r"(height|width)( +)= 32", rf"\1\2= {n}")]
        field.measure(f"{n} × {n}", changes=size, sizes={"n_samples": 4, "size": n})
    threads = Series("threads (pendulum, 400 samples)", "pendulum", seconds)
    for n in (1, 2):
        threads.measure(n, sizes={"n_samples": 400}, threads=n)
    memory = Series("memory (reaction–diffusion)", "reaction-diffusion", 0)
    memory.measure("batch of 20", sizes={"n_samples": 20})
    memory.measure("full batch of 700", sizes={"n_samples": 700}, threads=2)
    measure_landscapes()


if __name__ == "__main__":
    main()
