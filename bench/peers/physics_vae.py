#!/usr/bin/env python3
"""The data of Takeishi & Kalousis (2021), simulated with their settings, and errors of predictions beside the truth.

    python3 bench/peers/physics_vae.py data FOLDER          # forced-pendulum.csv
    python3 bench/peers/physics_vae.py errors PREDICTION.npz FOLDER/forced-pendulum.csv
"""
import argparse
from pathlib import Path

import numpy as np

from made_data import runge_kutta

SNAPSHOTS, INTERVAL, STEPS = 50, 0.05, 50
SETS = {"train": (1000, 1234), "validation": (500, 1235), "test": (1000, 1236)}


def forced_pendulum(n, seed):
    """Angles (snapshots × windows, with noise of sd 0.01) and eigenfrequencies."""
    rng = np.random.default_rng(seed)
    start, omega, friction = rng.uniform(-1.57, 1.57, n), rng.uniform(0.785, 3.14, n), rng.uniform(0, 0.8, n)
    push, frequency = rng.uniform(0, 40, n), rng.uniform(3.14, 6.28, n)

    def derivative(state):
        angle, velocity, time = state
        force = push * omega**2 * np.cos(2 * np.pi * frequency * time)
        return np.stack([velocity, force - friction * velocity - omega**2 * np.sin(angle), np.ones_like(time)])

    state, angles = np.stack([start, np.zeros(n), np.zeros(n)]), [start]
    for _ in range(SNAPSHOTS - 1):
        state = runge_kutta(derivative, state, INTERVAL / STEPS, STEPS)
        angles.append(state[0])
    return np.stack(angles) + rng.normal(0, 0.01, (SNAPSHOTS, n)), omega


def write_data(folder):
    rows, first = ["series,time,angle,true_omega"], 0
    for n, seed in SETS.values():
        angles, omega = forced_pendulum(n, seed)
        rows += [f"{first + i},{INTERVAL * k:.2f},{angles[k, i]:.6f},{omega[i]:.6f}"
                 for i in range(n) for k in range(SNAPSHOTS)]
        first += n
    Path(folder, "forced-pendulum.csv").write_text("\n".join(rows) + "\n")


def print_errors(prediction, data):
    """Mean absolute errors over the test windows, the last 1000 of the file."""
    table = np.loadtxt(data, delimiter=",", skiprows=1).reshape(-1, SNAPSHOTS, 4)
    test = slice(-SETS["test"][0], None)
    with np.load(prediction) as arrays:
        angle, omega = arrays["angle"][test], arrays["latent.omega"][test]
    measured, truth = table[test, 1:, 2], table[test, 0, 3]
    print(f"reconstruction: mean absolute error {np.abs(angle - measured).mean():.4f}")
    print(f"omega: mean absolute error {np.abs(omega - truth).mean():.4f}, "
          f"correlation {np.corrcoef(omega, truth)[0, 1]:.3f}; "
          f"{np.abs(truth - truth.mean()).mean():.4f} for one that always says the mean")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["data", "errors"])
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    (write_data if arguments.task == "data" else print_errors)(*arguments.paths)
