"""Runs the timing programs and PyTorch's, each in a process of its own, and reads what they print."""
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
EXAMPLES = BENCH.parent / "examples"
BUILD = Path(os.environ.get("GREYBOX_BUILD", BENCH.parent / "build" / "release"))
PENALTY = {"toy": ["--lambda", "0.01"]}  # the example trains with 0, which would leave R out


def torch_environment():
    """OpenBLAS 0.3.21 takes processors younger than itself for much older ones."""
    environment = dict(os.environ)
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    if "avx512f" in flags:
        environment.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")
    return environment


def run_json(command, **options):
    outcome = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True, **options)
    return json.loads(outcome.stdout)


def run_peer(script, model, folder, *options, python=sys.executable):
    return run_json([python, BENCH / script, model, "--weights", folder / "weights.npz",
                     "--data", folder / "batch.npz", *options], env=torch_environment())


def run_greybox(timer, model, folder, *options):
    return run_json([BUILD / timer, EXAMPLES / f"{model}.toml", "--weights", folder / "weights.npz",
                     "--data", folder / "batch.npz", *options])


def make_inputs(model, folder, *options, python=sys.executable):
    subprocess.run([str(python), str(BENCH / "pytorch" / "make_inputs.py"), model, str(folder), *options], check=True)


def spread(values):
    """The median, and the range around it."""
    return f"{statistics.median(values):.3g} ({min(values):.3g}–{max(values):.3g})"


def time_text(seconds):
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e6 * seconds:.2f} µs" if seconds < 1e-4 else f"{1e3 * seconds:.3g} ms"
