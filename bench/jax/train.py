#!/usr/bin/env python3
"""Times JAX's training step on one batch, jitted as a whole: prints L and R at the given weights and times as JSON."""
import argparse
import json
import os
import resource
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stopwatch import pin_to, time_repeatedly  # noqa: E402


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--weights", required=True, help="weights.npz, float32")
    parser.add_argument("--data", required=True, help="npz data file; all its series are the batch")
    parser.add_argument("--solver", choices=["scan", "diffrax"], default="scan")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5)
    return parser.parse_args()


def load(name, weights, data):
    import jax.numpy as jnp

    from models import MODELS

    with np.load(weights) as arrays:
        model = MODELS[name](dict(arrays))
    with np.load(data) as arrays:
        variables = [arrays[variable].astype(np.float32) for variable in model.data_names]
        times = [float(t) for t in arrays["time"] - arrays["time"][0]] if "time" in arrays.files else [0.0]
    if variables[0].ndim == 1:
        variables = [values[:, None] for values in variables]
    return model, jnp.asarray(np.stack(variables, -1)), times


def make_objective(solve, values, times):
    import jax.numpy as jnp

    from solvers import named, squares

    def objective(model, theta):
        """L + λR, and both."""
        if hasattr(model, "predict"):
            predictions, theory, network = model.predict(values, theta)
            means = named(squares(theory, network))
        else:
            states, means = solve(model.parts(values, theta), model.start(values), times)
            predictions = model.observe(states)
        loss = jnp.mean((predictions - model.targets(values))**2)
        regularizer = model.regularizer(means, theta)
        return loss + model.penalty * regularizer, (loss, regularizer)

    return objective


def make_step(objective, low, high, n_samples):
    import equinox as eqx
    import jax
    import optax

    optimizer = optax.chain(optax.clip(1.0), optax.clip_by_global_norm(10.0), optax.adamw(1e-3, weight_decay=0.01))

    @eqx.filter_jit(donate="all")
    def step(model, state, key):
        key, draw = jax.random.split(key)
        theta = jax.random.uniform(draw, (n_samples, len(low)), minval=low, maxval=high)
        gradient, _ = eqx.filter_grad(objective, has_aux=True)(model, theta)
        updates, state = optimizer.update(gradient, state, eqx.filter(model, eqx.is_array))
        return eqx.apply_updates(model, updates), state, key

    return optimizer, step


def main():
    options = parse_options()
    pin_to(options.threads)
    if options.threads == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    from solvers import SOLVERS

    model, values, times = load(options.model, options.weights, options.data)
    low, high = jnp.asarray(model.low), jnp.asarray(model.high)
    objective = make_objective(SOLVERS[options.solver], values, times)
    middle = jnp.broadcast_to((low + high) / 2, (len(values), len(low)))
    _, (loss, regularizer) = eqx.filter_jit(objective)(model, middle)
    optimizer, step = make_step(objective, low, high, len(values))
    training = [model, optimizer.init(eqx.filter(model, eqx.is_array)), jax.random.key(0)]

    def work():
        training[:] = step(*training)
        jax.block_until_ready(training[0])

    loss, regularizer = float(loss), float(regularizer)
    compile_begin = time.process_time()
    work()
    compile_seconds = time.process_time() - compile_begin
    durations = time_repeatedly(work, options.seconds)
    cpu_durations = time_repeatedly(work, options.seconds / 2, time.process_time)
    print(json.dumps({
        "model": options.model,
        "threads": options.threads,
        "L": loss,
        "R": regularizer,
        "seconds_per_step": statistics.median(durations),
        "cpu_seconds_per_step": statistics.median(cpu_durations),
        "compile_cpu_seconds": compile_seconds,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "versions": " ".join(f"{name} {version(name)}" for name in ("jax", "equinox", "diffrax", "optax")),
    }))


if __name__ == "__main__":
    main()
