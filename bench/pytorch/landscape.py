#!/usr/bin/env python3
"""Times a landscape in PyTorch: for one θ after another, L and R over all inputs. Prints pairs (θ, x) per second."""
import argparse
import json
import statistics
import time

import torch

from inputs import MODELS, load_batch, load_model
from train import set_threads, time_repeatedly


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--data", required=True, help="npz data file; all its series are the inputs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3)
    return parser.parse_args()


def main():
    options = parse_options()
    set_threads(options.threads)
    torch.set_flush_denormal(True)
    model = load_model(options.model, options.weights)
    windows = load_batch(model, options.data)
    low, high = torch.tensor(model.theta_low), torch.tensor(model.theta_high)
    n_inputs = len(windows.values)

    def evaluate():
        theta = low + (high - low) * torch.rand(len(low))
        outcome = model(windows, theta)
        model.loss(windows, outcome)
        model.regularizers(outcome, theta)

    with torch.no_grad():
        durations = time_repeatedly(evaluate, options.seconds)
        cpu_durations = time_repeatedly(evaluate, options.seconds / 2, time.process_time)
    print(json.dumps({
        "model": options.model,
        "inputs": n_inputs,
        "threads": options.threads,
        "pairs_per_second": n_inputs / statistics.median(durations),
        "pairs_per_cpu_second": n_inputs / statistics.median(cpu_durations),
    }))


if __name__ == "__main__":
    main()
