"""The four models at the paper's sizes and the files a benchmark starts from: weights.npz and one batch of data."""
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixtures"))

from reference.grey_box import Windows  # noqa: E402
from reference.networks import named_tensors  # noqa: E402
from reference.pendulum import Pendulum  # noqa: E402
from reference.predator_prey import PredatorPrey  # noqa: E402
from reference.reaction_diffusion import ReactionDiffusion  # noqa: E402
from reference.toy import Toy  # noqa: E402

MODELS = {
    "toy": Toy,
    "pendulum": Pendulum,
    "predator-prey": PredatorPrey,
    "reaction-diffusion": ReactionDiffusion,
    "reaction-diffusion-no-norm": lambda: ReactionDiffusion(batch_norm=False),
}


def load_model(name, weights_file):
    """The model with the weights of a weights.npz; every array must be there, with its shape."""
    model = MODELS[name]()
    with np.load(weights_file) as arrays, torch.no_grad():
        for tensor_name, tensor in named_tensors(model.networks()):
            values = torch.from_numpy(arrays[tensor_name])
            if values.shape != tensor.shape:
                raise ValueError(f"`{tensor_name}` is {tuple(values.shape)}, expected {tuple(tensor.shape)}")
            tensor.copy_(values)
    return model


def load_batch(model, data_file):
    """Every series of an npz data file is one window, and all of them are the batch."""
    with np.load(data_file) as arrays:
        variables = [torch.from_numpy(arrays[name]).float() for name in model.data_names]
        times = arrays["time"] if "time" in arrays.files else np.zeros(1)
    if variables[0].ndim == 1:
        variables = [v[:, None] for v in variables]
    return Windows((times - times[0]).tolist(), torch.stack(variables, 2))
