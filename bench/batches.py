#!/usr/bin/env python3
"""Writes one random batch of a model's data, of any size: benchmarks need shapes, not physics."""
import argparse
import math
from pathlib import Path

import numpy as np


def toy(rng, n_samples=10):
    x = rng.uniform(-3, 3, n_samples)
    return {"x": x, "y": np.sin(x) + np.cos(x)}


def pendulum(rng, n_samples=50):
    angle = rng.uniform(-3, 3, (n_samples, 1)) + np.linspace(0, 1, 11)
    velocity = rng.uniform(-2, 2, (n_samples, 1)) + np.zeros(11)
    return {"series": np.arange(n_samples), "time": 0.05 * np.arange(11), "cos_angle": np.cos(angle),
            "sin_angle": np.sin(angle), "velocity": velocity}


def predator_prey(rng, n_samples=100):
    phase = rng.uniform(0, 2 * math.pi, (n_samples, 1)) + np.arange(11)
    return {"time": np.arange(11.0), "prey": 0.9 + 0.7 * np.sin(phase), "predator": 0.6 + 0.4 * np.cos(phase)}


def reaction_diffusion(rng, n_samples=20, size=32):
    fields = rng.uniform(0, 1, (2, n_samples, 16, size, size)).astype(np.float32)
    return {"time": 0.1 * np.arange(16), "u": fields[0], "v": fields[1]}


BATCHES = {
    "toy": toy,
    "pendulum": pendulum,
    "predator-prey": predator_prey,
    "reaction-diffusion": reaction_diffusion,
    "reaction-diffusion-no-norm": reaction_diffusion,
}


def write_batch(model, file, **sizes):
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez(file, **BATCHES[model](np.random.default_rng(0), **sizes))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=BATCHES)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    write_batch(options.model, options.file)
