"""PyTorch's tensors in and out."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")


@pytest.fixture
def f(run):
    return run.evaluator({"g": 9.8}, window=0)


def test_torch_tensors_go_in_and_out_without_a_copy(f):
    state = torch.tensor([0.4, -1.0], dtype=torch.float64)
    out = torch.empty(2, dtype=torch.float64)
    assert f(0, state, out) is out
    assert torch.equal(out, torch.from_dlpack(f(0, state.numpy())))
    assert torch.equal(torch.from_dlpack(f(0, state.float())), torch.from_dlpack(f(0, state.float().double())))
    assert np.array_equal(f(0, state.requires_grad_()), out.numpy())


def test_torch_tensors_are_data(model, frame):
    tensors = {name: torch.tensor(frame[name].to_numpy()) for name in frame}
    assert len(model.dataset(tensors)) == 280
