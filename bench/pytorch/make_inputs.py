#!/usr/bin/env python3
"""Writes weights.npz (PyTorch's initialisation) and batch.npz (one random batch) of a model at the paper's size."""
import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from inputs import MODELS, named_tensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from batches import write_batch  # noqa: E402

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--samples", type=int, help="default: the paper's batch")
    options = parser.parse_args()
    torch.manual_seed(0)
    model = MODELS[options.model]()
    write_batch(options.model, options.folder / "batch.npz", **({"n_samples": options.samples} if options.samples else {}))
    weights = {name: tensor.detach().numpy() for name, tensor in named_tensors(model.networks())}
    np.savez(options.folder / "weights.npz", **weights)
