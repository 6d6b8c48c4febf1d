#!/usr/bin/env python3
"""Times PyTorch's training step on one batch: prints the loss at the given weights and the seconds per step as JSON."""
import argparse
import ctypes
import json
import resource
import statistics
import sys
import time
from pathlib import Path

import torch

from inputs import MODELS, load_batch, load_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stopwatch import pin_to, time_repeatedly  # noqa: E402

LAMBDA = {"toy": 1e-2, "pendulum": 1e-3, "predator-prey": 1e-3}  # 1e-7 for reaction–diffusion
# GFLOP/s per thread: the reference BLAS reaches 5, an OpenBLAS that does not know the processor 30, a fitting one 60
# and more.
SLOW_MATMUL = 40


class Trainer:
    """A fresh θ for every sample in every step; AdamW; gradients clipped by value, then by norm."""

    def __init__(self, model, windows, penalty, is_compiled=False):
        self.model, self.windows, self.penalty = model, windows, penalty
        self.training_objective = torch.compile(self.objective, fullgraph=True) if is_compiled else self.objective
        self.weights = list(model.parameters())
        self.optimizer = torch.optim.AdamW(self.weights, lr=1e-3, weight_decay=0.01, **fused())
        self.low, self.high = torch.tensor(model.theta_low), torch.tensor(model.theta_high)

    def middle_of_bounds(self):
        return (self.low + self.high) / 2

    def draw_theta(self):
        return self.low + (self.high - self.low) * torch.rand(len(self.windows.values), len(self.low))

    def objective(self, theta):
        """L, R and L + λR."""
        outcome = self.model(self.windows, theta)
        loss = self.model.loss(self.windows, outcome)
        regularizer = self.model.regularizers(outcome, theta)[self.model.train_regularizer]
        return loss, regularizer, loss + self.penalty * regularizer

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.training_objective(self.draw_theta())[-1].backward()
        torch.nn.utils.clip_grad_value_(self.weights, 1.0)
        torch.nn.utils.clip_grad_norm_(self.weights, 10.0)
        self.optimizer.step()


def fused():
    """PyTorch 2 updates all weights in one call."""
    return {"fused": True} if int(torch.__version__.split(".")[0]) >= 2 else {}


def set_threads(n_threads):
    torch.set_num_threads(n_threads)
    try:  # OpenBLAS has threads of its own, which PyTorch does not govern
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(n_threads)
    except OSError:
        pass


def matmul_gflops(n_threads):
    """PyTorch is only as fast as its BLAS: warns when that is not made for this processor."""
    a, b = torch.rand(1024, 128), torch.rand(128, 128)
    gflops = 2e-9 * a.numel() * 128 / statistics.median(time_repeatedly(lambda: a @ b, 0.2))
    if gflops < SLOW_MATMUL * n_threads:
        print(f"warning: matrix products run at only {gflops:.0f} GFLOP/s; before comparing times install an optimised "
              "BLAS (Debian: libopenblas0-pthread) or name the processor in OPENBLAS_CORETYPE", file=sys.stderr)
    return gflops


def children_seconds():
    """Of the compilers that torch.compile starts."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--weights", required=True, help="weights.npz, float32")
    parser.add_argument("--data", required=True, help="npz data file; all its series are the batch")
    parser.add_argument("--theta", type=float, nargs="+", help="for the printed loss; default: middle of the bounds")
    parser.add_argument("--lambda", type=float, dest="penalty", help="default: as in the examples; 0.01 for the toy")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="torch.compile the objective")
    parser.add_argument("--seconds", type=float, default=5)
    return parser.parse_args()


def main():
    options = parse_options()
    pin_to(options.threads)
    set_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    model = load_model(options.model, options.weights)
    penalty = LAMBDA.get(options.model, 1e-7) if options.penalty is None else options.penalty
    trainer = Trainer(model, load_batch(model, options.data), penalty, options.compile)
    theta = torch.tensor(options.theta) if options.theta else trainer.middle_of_bounds()
    with torch.no_grad():
        loss, regularizer, _ = trainer.objective(theta)
    begin = time.process_time() + children_seconds()
    trainer.step()
    compile_seconds = time.process_time() + children_seconds() - begin
    durations = time_repeatedly(trainer.step, options.seconds)
    cpu_durations = time_repeatedly(trainer.step, options.seconds / 2, time.process_time)
    print(json.dumps({
        "model": options.model,
        "batch": len(trainer.windows.values),
        "threads": options.threads,
        "theta": theta.tolist(),
        "L": loss.item(),
        "R": regularizer.item(),
        "seconds_per_step": statistics.median(durations),
        "cpu_seconds_per_step": statistics.median(cpu_durations),
        "steps": len(durations),
        "compile_cpu_seconds": compile_seconds,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "versions": f"torch {torch.__version__}",
        "matmul_gflops": matmul_gflops(options.threads),
    }))


if __name__ == "__main__":
    main()
