"""The data of a model: exact states, their noisy measurement, and the points at which R takes its means."""
from dataclasses import dataclass

import numpy as np

from expression import vector

FINE = 8  # steps of the exact solution per solver step; even, so that midpoints are among them


@dataclass
class MadeData:
    columns: dict          # of the data file
    points: dict           # name -> exact value at each evaluation of f_T and f_D
    weights: np.ndarray    # of these points in a mean, summing to 1
    series: np.ndarray     # which series (or sample) each point belongs to
    scales: dict           # output -> typical size of f_true, for networks
    centres: dict          # column or state -> (mean, sd)
    fine: np.ndarray | None = None      # of an ODE: exact states at fine steps, (steps + 1, series, states)
    indices: np.ndarray | None = None   # which of these steps the points are


def make_data(model):
    rng = np.random.default_rng(model.number())
    return ode_data(model, rng) if model.is_ode else algebraic_data(model, rng)


def noisy(values, fraction, rng):
    return values + fraction * values.std() * rng.standard_normal(values.shape)


def centres_of(points):
    return {name: (float(np.mean(v)), float(np.std(v)) or 1.0) for name, v in points.items()}


def typical(values):
    """The size of a quantity, one where it vanishes."""
    return float(np.sqrt(np.mean(values**2))) or 1.0


def algebraic_data(model, rng):
    points = {name: rng.uniform(*ends, model.windows) for name, ends in model.inputs.items()}
    exact = vector(model.true.values())(points) + np.zeros((model.windows, 1))
    outputs = dict(zip(model.outputs, exact.T))
    observed = vector(model.observed.values())(outputs).T
    columns = dict(points) | {name: noisy(v, model.noise, rng) for name, v in zip(model.observed, observed)}
    scales = {name: typical(v) for name, v in outputs.items()}
    return MadeData(columns, points, np.full(model.windows, 1 / model.windows), np.arange(model.windows), scales, centres_of(points))


def solve(model, start, constants, n_steps, step):
    """States at every fine step: (steps + 1, series, states), by the classic Runge–Kutta rule."""
    slope_of = vector(model.true.values())

    def slope(t, s):
        return slope_of(dict(zip(model.state, s.T)) | constants | {"t": t}) + np.zeros_like(s)

    states = [start]
    for i in range(n_steps):
        s, t = states[-1], i * step
        k1 = slope(t, s)
        k2 = slope(t + step / 2, s + step / 2 * k1)
        k3 = slope(t + step / 2, s + step / 2 * k2)
        k4 = slope(t + step, s + step * k3)
        states.append(s + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return np.array(states)


def ode_data(model, rng):
    n_rows = model.length * model.windows_per_series
    fine = FINE * model.substeps
    n_steps = (n_rows - 1) * fine
    start = np.stack([rng.uniform(*ends, model.windows) for ends in model.state.values()], 1)
    constants = {name: rng.uniform(*ends, model.windows) for name, ends in model.inputs.items()}
    states = solve(model, start, constants, n_steps, model.dt / fine)
    if not np.isfinite(states).all():
        raise ValueError(f"{model.name}: the true trajectories diverge")
    rows = dict(zip(model.state, np.moveaxis(states[::fine], 2, 0)))
    observed = dict(zip(model.observed, np.moveaxis(vector(model.observed.values())(rows | constants), 2, 0)))
    columns = {"series": np.repeat(np.arange(model.windows), n_rows),
               "time": np.tile(model.dt * np.arange(n_rows), model.windows)}
    columns |= {name: np.repeat(v, n_rows) for name, v in constants.items()}
    columns |= {name: noisy(v.T.ravel(), model.noise, rng) for name, v in observed.items()}
    # Every row of a window has what its first row had.
    columns |= {f"first_{name}": np.repeat(rows[name][::model.length].T.ravel(), model.length) for name in model.hidden_states}
    return collected(model, states, constants, columns, fine)


def collected(model, states, constants, columns, fine):
    """The points of classic Runge–Kutta along exact trajectories: both ends of a step once, its middle twice."""
    n_rows = model.length * model.windows_per_series
    indices, weights = [], []
    for row in range(n_rows - 1):
        if (row + 1) % model.length == 0:
            continue
        for k in range(model.substeps):
            begin = row * fine + k * FINE
            indices += [begin, begin + FINE // 2, begin + FINE]
            weights += [1, 2, 1]
    chosen = states[indices]
    points = dict(zip(model.state, chosen.reshape(-1, chosen.shape[2]).T))
    points |= {name: np.tile(v, len(indices)) for name, v in constants.items()}
    first = np.array([(i // fine) // model.length * model.length * fine for i in np.array(indices)])
    points["t"] = np.repeat((np.array(indices) - first) * model.dt / fine, states.shape[1])
    all_weights = np.repeat(weights, states.shape[1]).astype(float)
    slopes = vector(model.true.values())(points)
    scales = {name: typical(v) for name, v in zip(model.state, slopes.T)}
    return MadeData(columns, points, all_weights / all_weights.sum(),
                    np.tile(np.arange(states.shape[1]), len(indices)), scales, centres_of(points), states, np.array(indices))
