#!/usr/bin/env python3
"""Counts the instructions of training steps under valgrind and fails where they exceed a stored budget.

Counts, unlike times, do not depend on what else the machine does. They are those of the AVX2 kernels, which is what
valgrind knows. Start-up is taken out by counting runs of two lengths.
"""
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
BUDGET = BENCH / "instruction_budget.json"
MARGIN = 1.25
SKIPPED = 77
STEPS = {"toy": (20, 120), "pendulum": (1, 2)}


def toy_rows():
    yield "x", "y"
    for i in range(10):
        yield 0.6 * i - 2.7, math.sin(i)


def pendulum_rows():
    """Few series: valgrind computes each multiply-add by a call."""
    yield "series", "time", "cos_angle", "sin_angle", "velocity"
    for series in range(8):
        for k in range(11):
            angle = series - 3.5 + 0.1 * k
            yield series, 0.05 * k, math.cos(angle), math.sin(angle), 0.5 * series - 2


ROWS = {"toy": toy_rows, "pendulum": pendulum_rows}


def count(timer, model, data, n_steps):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", timer,
               BENCH.parent / "examples" / f"{model}.toml", "--data", data, "--lambda", "0.01", "--steps", n_steps]
    outcome = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", outcome.stderr)
    if outcome.returncode != 0 or not found:
        sys.exit(f"valgrind failed:\n{outcome.stderr}")
    return int(found[1])


def instructions_per_step(timer, model, folder):
    data, (few, many) = Path(folder) / f"{model}.csv", STEPS[model]
    data.write_text("".join(",".join(map(str, row)) + "\n" for row in ROWS[model]()))
    return (count(timer, model, data, many) - count(timer, model, data, few)) // (many - few)


def main():
    timer, is_update = sys.argv[1], "--update" in sys.argv
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        counts = {model: instructions_per_step(timer, model, folder) for model in STEPS}
    if is_update:
        BUDGET.write_text(json.dumps(counts, indent=2) + "\n")
    budget = json.loads(BUDGET.read_text())
    for model, n in counts.items():
        print(f"{model}: {n} instructions per step, {n / budget[model]:.2f} of the stored {budget[model]}")
    return int(any(n > MARGIN * budget[model] for model, n in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
