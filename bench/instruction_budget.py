#!/usr/bin/env python3
"""Counts the instructions of training steps under valgrind and fails where they exceed a stored budget.

Counts, unlike times, do not depend on what else the machine does. They are those of the AVX2 kernels, which is what
valgrind knows. Start-up is taken out by counting runs of two lengths.
"""
import json
import math
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
BUDGET = BENCH / "instruction_budget.json"
MARGIN = 1.25
SKIPPED = 77
STEPS = {"toy": (20, 120), "pendulum": (1, 2), "reaction-diffusion": (1, 2)}
# Few points, series and evaluations: valgrind computes each multiply-add by a call.
CHANGES = {"reaction-diffusion": {
    "length = 16": "length = 2", "height   = 32": "height   = 16", "width    = 32": "width    = 16",
    "train = 0.4, validation = 0.3, test = 0.3": "train = 0.5, validation = 0.5, test = 0"}}


def toy_rows():
    yield "x", "y"
    for i in range(10):
        yield 0.6 * i - 2.7, math.sin(i)


def pendulum_rows():
    yield "series", "time", "cos_angle", "sin_angle", "velocity"
    for series in range(8):
        for k in range(11):
            angle = series - 3.5 + 0.1 * k
            yield series, 0.05 * k, math.cos(angle), math.sin(angle), 0.5 * series - 2


def reaction_diffusion_arrays():
    """Name, shape and values; written as npz without numpy, which the test would otherwise need."""
    shape = (2, 2, 16, 16)
    yield "time", (2,), [0, 0.1]
    for name, phase in ("u", 0), ("v", 1):
        yield name, shape, [0.5 + 0.5 * math.sin(0.37 * i + phase) for i in range(math.prod(shape))]


def write_npz(file, arrays):
    with zipfile.ZipFile(file, "w") as archive:
        for name, shape, values in arrays:
            header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
            preamble = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            archive.writestr(f"{name}.npy", preamble + struct.pack(f"<{len(values)}d", *values))


def write_csv(file, rows):
    file.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


DATA = {
    "toy": ("toy.csv", write_csv, toy_rows),
    "pendulum": ("pendulum.csv", write_csv, pendulum_rows),
    "reaction-diffusion": ("reaction-diffusion.npz", write_npz, reaction_diffusion_arrays),
}


def write_model(model, folder):
    text = (BENCH.parent / "examples" / f"{model}.toml").read_text()
    for old, new in CHANGES.get(model, {}).items():
        if old not in text:
            sys.exit(f"{model}.toml has no `{old}` to change")
        text = text.replace(old, new)
    (folder / f"{model}.toml").write_text(text)
    return folder / f"{model}.toml"


def count(timer, model, data, n_steps):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", timer, model, "--data", data,
               "--lambda", "0.01", "--steps", n_steps]
    outcome = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", outcome.stderr)
    if outcome.returncode != 0 or not found:
        sys.exit(f"valgrind failed:\n{outcome.stderr}")
    return int(found[1])


def instructions_per_step(timer, model, folder):
    name, write, content = DATA[model]
    write(folder / name, content())
    file, (few, many) = write_model(model, folder), STEPS[model]
    return (count(timer, file, folder / name, many) - count(timer, file, folder / name, few)) // (many - few)


def main():
    timer, is_update = sys.argv[1], "--update" in sys.argv
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        counts = {model: instructions_per_step(timer, model, Path(folder)) for model in STEPS}
    if is_update:
        BUDGET.write_text(json.dumps(counts, indent=2) + "\n")
    budget = json.loads(BUDGET.read_text())
    for model, n in counts.items():
        print(f"{model}: {n} instructions per step, {n / budget[model]:.2f} of the stored {budget[model]}")
    return int(any(n > MARGIN * budget[model] for model, n in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
