#!/usr/bin/env python3
"""Times training steps and landscapes of the paper's models against PyTorch and JAX, in turn, and prints tables of ratios.

Both start from the same weights and data, and must agree on L and R before anything is timed.
"""
import argparse
import math
import os
import statistics
import sys
import tempfile
from pathlib import Path

from runs import PENALTY, make_inputs, run_greybox, run_peer, spread, time_text

MODELS = ["toy", "pendulum", "predator-prey", "reaction-diffusion", "reaction-diffusion-no-norm"]
LANDSCAPES = {"toy": (80, 101 * 101), "pendulum": (2700, 20)}  # inputs and θ; the pendulum's is 1/20 of 400 θ
TOLERANCE = 1e-3
# A script and its options.
PEERS = {
    "pytorch": ["pytorch/train.py"],
    "pytorch-compiled": ["pytorch/train.py", "--compile"],
    "jax": ["jax/train.py"],
    "jax-diffrax": ["jax/train.py", "--solver", "diffrax"],
}


def median(values):
    return statistics.median(list(values))


def check_agreement(model, ours, peer, named):
    for name in ("L", "R") if named != "jax-diffrax" else ("L",):  # its R is an integral over time
        if not math.isclose(ours[name], peer[name], rel_tol=TOLERANCE):
            raise SystemExit(f"{model}: {name} is {ours[name]}, and {named} says {peer[name]}")


def compare_steps(model, named, folder, threads, options):
    script, *flags = PEERS[named]
    rounds = []
    for _ in range(options.rounds):
        peer = run_peer(script, model, folder, *flags, "--threads", threads, "--seconds", options.seconds,
                        python=options.python)
        ours = run_greybox("step_timer", model, folder, "--threads", threads, "--seconds", options.seconds / 2,
                           *PENALTY.get(model, []))
        check_agreement(model, ours, peer, named)
        rounds.append((ours, peer))
    time = "cpu_seconds_per_step" if options.cpu_time else "seconds_per_step"
    shares = [o["share_of_peak"] * o["seconds_per_step"] / o[time] for o, _ in rounds]
    print(f"| {model} | {threads} | {named} | {time_text(median(p[time] for _, p in rounds))} "
          f"| {time_text(median(o[time] for o, _ in rounds))} | {spread([p[time] / o[time] for o, p in rounds])} "
          f"| {100 * median(shares):.0f} % | {median(o['peak_gflops'] for o, _ in rounds):.0f} "
          f"| {median(p['memory_mb'] for _, p in rounds):.0f} / {median(o['memory_mb'] for o, _ in rounds):.0f} MB "
          f"| {median(p['compile_cpu_seconds'] for _, p in rounds):.1f} s | {rounds[0][1]['versions']} |", flush=True)


def compare_landscapes(model, folder, threads, options):
    n_inputs, n_theta = LANDSCAPES[model]
    make_inputs(model, folder, "--samples", str(n_inputs), python=options.python)
    rounds = []
    for _ in range(options.rounds):
        torchs = run_peer("pytorch/landscape.py", model, folder, "--threads", threads, "--seconds", options.seconds,
                          python=options.python)
        ours = run_greybox("landscape_timer", model, folder, "--threads", threads, "--thetas", n_theta)
        rate = "pairs_per_cpu_second" if options.cpu_time else "pairs_per_second"
        rounds.append((ours[rate], torchs[rate]))
    print(f"| {model} | {n_theta} × {n_inputs} | {threads} | {median(t for _, t in rounds):.3g} "
          f"| {median(o for o, _ in rounds):.3g} | {spread([o / t for o, t in rounds])} |", flush=True)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=["pytorch"])
    parser.add_argument("--python", default=sys.executable, help="of an environment that has the peers")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="the peer's share of a round")
    parser.add_argument("--no-landscapes", action="store_true")
    parser.add_argument("--cpu-time", action="store_true", help="processor time instead of the clock: for one thread on "
                        "a busy machine")
    return parser.parse_args()


def main():
    options = parse_options()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as scratch:
        print("| training step | threads | peer | its time | greybox | ratio (range) | of the limit | FMA peak, GFLOP/s per core "
              "| memory, peer / greybox | compiling | versions |")
        print("|---" * 11 + "|")
        for model in options.models:
            make_inputs(model, Path(scratch) / model, python=options.python)
            for named in options.peers:
                for threads in options.threads:
                    compare_steps(model, named, Path(scratch) / model, threads, options)
        if options.no_landscapes:
            return
        print("\n| landscape | θ × inputs | threads | PyTorch, pairs/s | greybox, pairs/s | ratio (range) |")
        print("|---|---|---|---|---|---|")
        for model in filter(LANDSCAPES.get, options.models):
            for threads in options.threads:
                compare_landscapes(model, Path(scratch) / f"{model}-landscape", threads, options)


if __name__ == "__main__":
    main()
