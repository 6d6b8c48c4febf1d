#!/usr/bin/env python3
"""Writes weights.npz (PyTorch's initialisation) and batch.npz (one random batch) of a model at the paper's size."""
import argparse
from pathlib import Path

import numpy as np
import torch

from inputs import MODELS, named_tensors


def toy(rng):
    x = rng.uniform(-3, 3, 10)
    return {"x": x, "y": np.sin(x) + np.cos(x)}


def pendulum(rng):
    angle = rng.uniform(-3, 3, (50, 1)) + np.linspace(0, 1, 11)
    velocity = rng.uniform(-2, 2, (50, 1)) + np.zeros(11)
    return {"series": np.arange(50), "time": 0.05 * np.arange(11), "cos_angle": np.cos(angle),
            "sin_angle": np.sin(angle), "velocity": velocity}


def predator_prey(rng):
    phase = rng.uniform(0, 6, (100, 1)) + np.arange(11)
    return {"time": np.arange(11.0), "prey": 0.9 + 0.7 * np.sin(phase), "predator": 0.6 + 0.4 * np.cos(phase)}


def reaction_diffusion(rng):
    fields = rng.uniform(0, 1, (2, 20, 16, 32, 32)).astype(np.float32)
    return {"time": 0.1 * np.arange(16), "u": fields[0], "v": fields[1]}


BATCHES = {
    "toy": toy,
    "pendulum": pendulum,
    "predator-prey": predator_prey,
    "reaction-diffusion": reaction_diffusion,
    "reaction-diffusion-no-norm": reaction_diffusion,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    torch.manual_seed(0)
    model = MODELS[options.model]()
    options.folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.detach().numpy() for name, tensor in named_tensors(model.networks())}
    np.savez(options.folder / "weights.npz", **weights)
    np.savez(options.folder / "batch.npz", **BATCHES[options.model](np.random.default_rng(0)))
